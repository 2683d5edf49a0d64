import type { Operation } from "../../../access/operation.ts";
import type { Config } from "../../../base/config.ts";
import { onceFor } from "../../../base/once_for.ts";
import { openApiDocument } from "./document.ts";

/** The OpenAPI document as JSON text: it never changes while the server runs. */
export const openApiText = onceFor((config: Config, operations: Operation[]): string =>
  JSON.stringify(openApiDocument(operations, config.version, `${config.basePath}/api`))
);
