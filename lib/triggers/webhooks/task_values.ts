import type { IntegrationRow } from "../integrations/schema.ts";
import { parseJsonObject } from "../../base/fields.ts";

/** Task fields that a call may set. The template must allow them as for any other task. */
const TASK_TEXTS = ["limit", "tags", "skip_tags", "message", "git_branch"];
const TASK_FLAGS = ["debug", "dry_run", "diff"];

/** Input for starting the task. Names of unknown fields are ignored. */
export function withTaskValues(
  own: IntegrationRow["task_params"],
  values: Map<string, string>,
): Record<string, unknown> {
  const input: Record<string, unknown> = { ...own };
  const params: Record<string, unknown> = { ...input.params as object | null | undefined };
  for (const [name, text] of values) {
    if (TASK_TEXTS.includes(name)) input[name] = text;
    else if (TASK_FLAGS.includes(name)) input[name] = /^(true|1|yes|on)$/i.test(text);
    else continue;
    delete params[name];
  }
  return { ...input, params };
}

/** The variables that the integration always sends. */
export function ownVariables(params: IntegrationRow["task_params"]): Record<string, unknown> {
  const given = params?.environment;
  if (typeof given === "string") return parseJsonObject(given || "{}") ?? {};
  return { ...(given as Record<string, unknown> | null | undefined) };
}
