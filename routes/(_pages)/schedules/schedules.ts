import { changedMeanwhile, versionOf } from "@/lib/base/version.ts";
import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { isReplaceable, scheduleForm } from "@/lib/triggers/schedules/schema.ts";
import {
  createSchedule,
  deleteSchedule,
  listTemplateSchedules,
  previewCron,
  updateSchedule,
} from "@/lib/triggers/schedules/service.ts";

/** Values of a template's form for its schedule. */
interface TypedSchedule {
  /** Blank if it has none. */
  cron_format: string;
  repository_id: number | null;
}

/**
 * Loads a template's schedules. The template's form shows and changes a single schedule or creates
 * one. It does not show several schedules, or one with more settings than the form has fields;
 * `isTyped` is false then.
 */
export async function loadTemplateSchedules(
  scope: ProjectScope,
  templateId: number | null,
) {
  const all = templateId === null ? [] : await listTemplateSchedules(scope, templateId);
  const schedules = all.filter(({ set_by }) => set_by === null);
  const isTyped = schedules.length === 0 || schedules.length === 1 && isReplaceable(schedules[0]);
  return { schedules, isTyped, version: isTyped ? versionOf(schedules[0] ?? null) ?? NONE : NONE };
}

/** Version of a schedule that does not exist or that the form does not show. */
const NONE = "none";

/**
 * Throws the errors of a schedule before its template is saved. Throws 412 if the stored schedule
 * does not have the `expected` version.
 */
export async function validateSchedule(
  scope: ProjectScope,
  templateId: number | null,
  { cron_format, repository_id }: TypedSchedule,
  expected: string | undefined,
): Promise<void> {
  const { version } = await loadTemplateSchedules(scope, templateId);
  if (expected && version !== expected) throw changedMeanwhile();
  if (cron_format === "") return;
  previewCron(await reopen(scope, "manage_triggers"), { cron_format, timezone: null }, 1);
  if (repository_id !== null) await repositoryService.get(scope, repository_id);
}

/**
 * Saves the schedule in a template's form. Schedules that the form does not show stay unchanged.
 */
export async function saveTemplateSchedule(
  scope: ProjectScope,
  templateId: number,
  { cron_format, repository_id }: TypedSchedule,
  expected: string | undefined,
): Promise<void> {
  const { schedules, isTyped } = await loadTemplateSchedules(scope, templateId);
  if (!isTyped) return;
  const [stored] = schedules;
  const versions = expected === undefined ? undefined : [expected];
  const form = scheduleForm.parse({ template_id: templateId, cron_format, repository_id });
  if (!stored) {
    if (cron_format !== "") await createSchedule(await reopen(scope, "manage_triggers"), form);
  } else if (cron_format === "") {
    await deleteSchedule(await reopen(scope, "manage_triggers"), stored.id, versions);
  } else if (stored.cron_format !== cron_format || stored.repository_id !== repository_id) {
    // Only if something changed, because an updated schedule forgets which commit it ran last.
    await updateSchedule(await reopen(scope, "manage_triggers"), stored.id, form, versions);
  }
}
