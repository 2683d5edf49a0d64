import type { Deps } from "../../access/deps.ts";
import { openApiDocument } from "./document.ts";
import { allOperations } from "./operations.ts";

let text: string | undefined;

/** The OpenAPI document as JSON text: it never changes while the server runs. */
export const openApiText = ({ config }: Pick<Deps, "config">): string =>
  text ??= JSON.stringify(
    openApiDocument(allOperations, config.version, `${config.basePath}/api`),
  );
