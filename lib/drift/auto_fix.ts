import * as z from "zod";
import { addTooBig, byteLength } from "../base/fields.ts";
import type { AutoFix, TemplateHead } from "../model/template_row.ts";
import { isPlainHostName, validateTags } from "../execution/ansible/results/fields.ts";

const NAMES_MAX = 100;
/** Bytes of all of them as JSON, because they are in the row of the template. */
const BYTES_MAX = 32 * 1024;

const names = z.array(z.string().trim().min(1, "errors.required").max(500, "errors.too_long"))
  .max(NAMES_MAX, "errors.too_long").nullish().transform((list) => [...new Set(list ?? [])]);

/** Hosts, tags or both that checks of a template may fix without a person. */
export const autoFixField = z.object({
  /** Names of hosts. Without any, all hosts of the template. */
  hosts: names.refine((hosts) => hosts.every(isPlainHostName), "errors.drift.auto_fix_host"),
  /** Tags of Ansible tasks. Without any, all tasks of the playbook. */
  tags: names.superRefine(validateTags),
}).refine(
  ({ hosts, tags }) => hosts.length + tags.length > 0,
  { path: ["hosts"], error: "errors.drift.auto_fix_names" },
).superRefine((value, ctx) => {
  if (byteLength(JSON.stringify(value)) <= BYTES_MAX) return;
  addTooBig(ctx, value, BYTES_MAX, "errors.too_large");
});

export const autoFixSchema = z.object({
  hosts: z.array(z.string()),
  tags: z.array(z.string()),
}) satisfies z.ZodType<AutoFix>;

/** Whether checks may fix something. Where people confirm tasks, nothing is fixed without one. */
export const mayAutoFix = (
  { require_confirmation, preview_first, auto_fix }: Pick<
    TemplateHead,
    "require_confirmation" | "preview_first" | "auto_fix"
  >,
): boolean => Boolean(auto_fix) && !require_confirmation && !preview_first;
