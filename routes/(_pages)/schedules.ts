import { changedMeanwhile, versionOf } from "@/lib/base/version.ts";
import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { repositoryService } from "@/lib/parts/repositories/service.ts";
import { isReplaceable, scheduleForm } from "@/lib/triggers/schedules/schema.ts";
import {
  createSchedule,
  deleteSchedule,
  listTemplateSchedules,
  previewCron,
  updateSchedule,
} from "@/lib/triggers/schedules/service.ts";

/** What a template's form says of its schedule. */
interface TypedSchedule {
  /** Blank: it has none. */
  cron_format: string;
  repository_id: number | null;
}

/**
 * A template's schedules. The form of the template shows and changes the one that there is, or makes
 * it; but not several, nor one that says more than the form has fields for: `isTyped` is false then.
 */
export async function loadTemplateSchedules(
  scope: ProjectScope,
  templateId: number | null,
) {
  const schedules = templateId === null ? [] : await listTemplateSchedules(scope, templateId);
  const isTyped = schedules.length === 0 || schedules.length === 1 && isReplaceable(schedules[0]);
  return { schedules, isTyped, version: isTyped ? versionOf(schedules[0] ?? null) ?? NONE : NONE };
}

/** The version of a schedule that the form does not show, or that is not there. */
const NONE = "none";

/**
 * Throws what is wrong with a schedule, before the template that it belongs to is stored; and 412
 * when the stored one is not of the `expected` version.
 */
export async function checkSchedule(
  scope: ProjectScope,
  templateId: number | null,
  { cron_format, repository_id }: TypedSchedule,
  expected: string | undefined,
): Promise<void> {
  const { version } = await loadTemplateSchedules(scope, templateId);
  if (expected && version !== expected) throw changedMeanwhile();
  if (cron_format === "") return;
  previewCron(await reopen(scope, "manage_resources"), { cron_format, timezone: null }, 1);
  if (repository_id !== null) await repositoryService.get(scope, repository_id);
}

/** Makes a template's schedule what its form says. Those that the form does not show stay. */
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
    if (cron_format !== "") await createSchedule(await reopen(scope, "manage_resources"), form);
  } else if (cron_format === "") {
    await deleteSchedule(await reopen(scope, "manage_resources"), stored.id, versions);
  } else if (stored.cron_format !== cron_format || stored.repository_id !== repository_id) {
    // Only then: a changed schedule forgets which commit it ran last.
    await updateSchedule(await reopen(scope, "manage_resources"), stored.id, form, versions);
  }
}
