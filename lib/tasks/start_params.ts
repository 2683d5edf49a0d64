import * as z from "zod";
import { withPlainNumbers } from "../base/text/exact_json.ts";
import { startTaskFields } from "./start_form.ts";

/** Maximum bytes of the values for starting a task. The row must fit into one KV value. */
const TASK_PARAMS_MAX = 16_384;

const PASSWORDS = ["ssh_password", "become_password", "vault_password"] as const;

const runForm = startTaskFields.omit({
  template_id: true,
  template_name: true,
  secret: true,
  playbook: true,
});

/**
 * Values with which a schedule or a workflow starts a task. They are stored as sent, and checked
 * like a task's own form.
 */
export const startParams = z.record(z.string(), z.unknown()).superRefine((value, ctx) => {
  if (JSON.stringify(value).length > TASK_PARAMS_MAX) {
    ctx.addIssue({ code: "custom", message: "errors.task_params_too_large" });
  }
  // No one can type it in when the task starts, and here all members could read it.
  const refuse = (name: string) =>
    ctx.addIssue({ code: "custom", path: [name], message: "errors.task_params_secret" });
  if (!isBlankSecret(value.secret)) refuse("secret");
  for (const name of PASSWORDS) if (value[name]) refuse(name);
  for (const issue of runForm.safeParse(value).error?.issues ?? []) {
    ctx.addIssue({ ...issue, input: undefined });
  }
}).transform(storable);

/**
 * Returns values that the store takes. Variables with an exact number become their JSON, which is
 * what most clients send.
 */
function storable(params: Record<string, unknown>): Record<string, unknown> {
  const plain = withPlainNumbers(params) as Record<string, unknown>;
  const variables = JSON.stringify(params.environment);
  const isSame = variables === JSON.stringify(plain.environment);
  return isSame ? plain : { ...plain, environment: variables };
}

/** The inventory that replaces the template's in its tasks; null for the template's. */
export const chosenInventory = (params: Record<string, unknown> | null): number | null =>
  Number(params?.inventory_id) || null;

const isBlankSecret = (secret: unknown) => !secret || secret === "{}";
