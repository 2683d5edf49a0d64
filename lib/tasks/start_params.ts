import * as z from "zod";
import { startTaskFields } from "./start_form.ts";

/** Maximum bytes of the values for starting a task. The row must fit into one KV value. */
const TASK_PARAMS_MAX = 16_384;

const runForm = startTaskFields.omit({ template_id: true, secret: true, playbook: true });

/**
 * Values with which a schedule or a workflow starts a task. They are stored as sent, and checked
 * like a task's own form.
 */
export const startParams = z.record(z.string(), z.unknown()).superRefine((value, ctx) => {
  if (JSON.stringify(value).length > TASK_PARAMS_MAX) {
    ctx.addIssue({ code: "custom", message: "errors.task_params_too_large" });
  }
  if (!isBlankSecret(value.secret)) {
    // No one can type it in when the task starts, and here all members could read it.
    ctx.addIssue({ code: "custom", path: ["secret"], message: "errors.task_params_secret" });
  }
  for (const issue of runForm.safeParse(value).error?.issues ?? []) {
    ctx.addIssue({ ...issue, input: undefined });
  }
});

/** The inventory that replaces the template's in its tasks; null for the template's. */
export const chosenInventory = (params: Record<string, unknown> | null): number | null =>
  Number(params?.inventory_id) || null;

const isBlankSecret = (secret: unknown) => !secret || secret === "{}";
