import type { Operation } from "../../../access/operation.ts";
import type { Config } from "../../../base/config.ts";
import { onceFor } from "../../../base/once_for.ts";
import { openApiDocument } from "./document.ts";

/** Returns the OpenAPI document as JSON text. It never changes while the server runs. */
export const openApiText = onceFor((config: Config, operations: Operation[]): string =>
  JSON.stringify(openApiDocument(operations, config.version, `${config.basePath}/api`))
);
