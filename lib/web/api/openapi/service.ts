import type { Operation } from "../../../access/operation.ts";
import type { Config } from "../../../base/config.ts";
import { openApiDocument } from "./document.ts";

const texts = new WeakMap<Config, string>();

/** The OpenAPI document as JSON text: it never changes while the server runs. */
export function openApiText(operations: Operation[], config: Config): string {
  const text = texts.get(config) ??
    JSON.stringify(openApiDocument(operations, config.version, `${config.basePath}/api`));
  texts.set(config, text);
  return text;
}
