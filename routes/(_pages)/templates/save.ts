import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import type { Expected } from "@/lib/base/version.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { isBlank } from "@/lib/base/fields.ts";
import { typedLabels } from "@/lib/base/text/labels.ts";
import { isPlain } from "@/lib/approvals/rule.ts";
import { keyListOf } from "@/lib/resources/common/key_list.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { createCheckedTemplate, updateCheckedTemplate } from "@/lib/triggers/checks/templates.ts";
import { saveTemplateSchedule, validateSchedule } from "../schedules/schedules.ts";
import { vaultKeys } from "./templates.ts";
import { paramsOf } from "./params.ts";
import type { TemplatePageForm } from "./form.ts";

/** Returns the version of a template's form, which covers the template and its schedule. */
export const templateVersion = (template: string | null, schedule: string): string | null =>
  template && `${template}+${schedule}`;

/** Throws 400 for a vault key that the form does not offer. */
async function requireOfferedVaults(
  scope: ProjectScope,
  { vaults }: Pick<TemplatePageForm, "vaults">,
  current: TemplateView | null,
): Promise<void> {
  const keys = await keyService.list(scope);
  const offered = vaultKeys(keys, current);
  for (const [n, { vault_key_id }] of vaults?.entries() ?? []) {
    const key = keys.find(({ id }) => id === vault_key_id);
    if (key && !offered.includes(key)) {
      throw invalidField(`vaults.${n}.vault_key_id`, "errors.keys.password_key_needed");
    }
  }
}

/** Texts of which an empty one means the same as null. */
const TEXTS = [
  "description",
  "start_warning",
  "start_version",
  "arguments",
  "git_branch",
  "working_directory",
  "keep_paths",
] as const;

/**
 * Saves the template and the schedule in the form. Returns the template's id. Throws 412 if one of
 * them does not have the `expected` version.
 */
export async function saveTemplate(
  scope: ProjectScope,
  current: TemplateView | null,
  { cron_format, cron_repository_id, refuse_debug, ssh_keys, ...form }: TemplatePageForm,
  expected: Expected,
): Promise<number> {
  const [version, scheduleVersion] = expected?.[0].split("+") ?? [];
  const schedule = { cron_format, repository_id: cron_repository_id };
  await requireOfferedVaults(scope, form, current);
  // Checked first, because a form with errors must not create a template.
  await validateSchedule(scope, current?.id ?? null, schedule, scheduleVersion);
  // Members without a field in the form keep their values.
  const { app } = current ?? { app: "ansible" as const };
  const task_params = paramsOf({ ...form, refuse_debug }, current);
  const approval = form.approval && !isPlain(form.approval) ? form.approval : null;
  const texts = Object.fromEntries(TEXTS.map((name) => [
    name,
    form[name] || (isBlank(current?.[name]) ? current?.[name] ?? null : null),
  ]));
  const runner_tag = typedLabels(form.runner_tag, current?.runner_tag);
  const whole = {
    ...form,
    ...texts,
    runner_tag,
    ...keyListOf(ssh_keys),
    app,
    task_params,
    approval,
  };
  if (current) {
    const manager = await reopen(scope, "manage_resources");
    await updateCheckedTemplate(manager, current.id, whole, version ? [version] : undefined);
  }
  const { id } = current ??
    await createCheckedTemplate(await reopen(scope, "manage_resources"), whole);
  await saveTemplateSchedule(scope, id, schedule, scheduleVersion);
  return id;
}
