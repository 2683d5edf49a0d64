import * as z from "zod";
import { ruleFormObject } from "@/components/access/RuleSection.tsx";
import { chosenBoxes } from "@/components/ui/forms/CheckLists.tsx";
import { checkFields } from "@/components/templates/ChecksFields.tsx";
import { KEY_LIST } from "@/components/keys/KeyRows.tsx";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { rowNumbers, withRows } from "@/lib/web/forms/rows.ts";
import { evenIfFieldsFail, flagField, optionalIdField } from "@/lib/base/fields.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import type { ApprovalRule } from "@/lib/model/approval_rule.ts";
import { needsPerson, personalOf, unattendedKey } from "@/lib/tasks/personal.ts";
import { autoFixField } from "@/lib/drift/auto_fix.ts";
import { templateForm, type TemplateView } from "@/lib/templates/schema.ts";
import { keyRowsField, keyRowsOf } from "@/lib/resources/common/key_list.ts";
import { withOtherKeys } from "../resources/key_rows.ts";
import { partsFormObject } from "./params.ts";
import { spacedLabels } from "@/lib/base/text/labels.ts";
import { surveyFormObject } from "./survey_form.ts";

/**
 * Schema of the page's form. Only the API accepts templates without the values that a task
 * requires.
 */
export const templatePageForm = templateForm.safeExtend({
  /** The keys and their hosts, row by row. */
  ssh_keys: keyRowsField,
  /** Fields of the template's only schedule, which is a separate resource in the API. */
  cron_format: z.string().trim().max(200, "errors.too_long").default(""),
  cron_repository_id: optionalIdField,
  /** Inverse of a setting that is on by default. */
  refuse_debug: flagField,
  check_after_commit: flagField,
  // A box that is not ticked is not sent.
  own_key: flagField,
  ask_ssh_password: flagField,
  ask_become_password: flagField,
  ask_vault_password: flagField,
  auto_fix: autoFixField.nullish().transform((value) => value ?? null),
}).superRefine((form, ctx) => {
  const { type, environment_id, start_version, build_template_id, vaults } = form;
  const missing = (...path: (string | number)[]) =>
    ctx.addIssue({ code: "custom", path, message: "errors.required" });
  if (!environment_id) missing("environment_id");
  const personal = personalOf(form, null);
  if (form.cron_format && needsPerson(personal)) {
    ctx.addIssue({ code: "custom", path: ["cron_format"], message: unattendedKey(personal) });
  }
  if (type === "build" && !start_version) missing("start_version");
  if (type === "deploy" && !build_template_id) missing("build_template_id");
  for (const [n, { vault_key_id }] of vaults?.entries() ?? []) {
    if (vault_key_id === null) missing("vaults", n, "vault_key_id");
  }
}, evenIfFieldsFail);

export type TemplatePageForm = z.output<typeof templatePageForm>;

/** Returns a template's values for its form. */
export function templateFormObject(template: TemplateView, schedule?: ScheduleView): object {
  const { last_task: _last, vault_key_id: _key, environment_ids: _ids, ...others } = template;
  const { ssh_key_ids: _keys, ssh_key_hosts: _hosts, ...fields } = others;
  return {
    ...fields,
    [KEY_LIST]: keyRowsOf(template),
    ...partsFormObject(template),
    ...ruleFormObject(template),
    approval: template.approval && approvalFormObject(template.approval),
    ...checkFields(template.check_cron),
    auto_fix: template.auto_fix && {
      hosts: template.auto_fix.hosts.join(", "),
      tags: template.auto_fix.tags.join(", "),
    },
    retry_attempts: template.retry_attempts || null,
    retry_minutes: template.retry_minutes || null,
    runner_tag: spacedLabels(template.runner_tag),
    cron_format: schedule?.cron_format,
    cron_repository_id: schedule?.repository_id,
    survey_vars: surveyFormObject(template.survey_vars),
  };
}

/** Returns a rule for its fields, whose lists have a row for each box. */
const approvalFormObject = ({ needed, ...rule }: ApprovalRule): object => ({
  ...rule,
  needed: needed === 1 ? null : needed,
  ...chosenBoxes(rule),
});

/**
 * Returns the form after a button that adds or removes a row; null if another button was pressed.
 */
export function withOtherRows(
  { question = "", vault = "", ...values }: FormValues,
): FormValues | null {
  const withKeys = withOtherKeys(values);
  if (withKeys) return withKeys;
  if (vault !== "") {
    // The first row is shown even if no vault was entered.
    const none = rowNumbers(values, "vaults").length === 0;
    return withRows(none ? { ...values, "vaults.0.name": "" } : values, "vaults", vault, "name");
  }
  return question === "" ? null : withRows(values, "survey_vars", question, "name");
}
