import { AppError, invalidField } from "../../base/errors.ts";
import { guardProject } from "../../store/guard_project.ts";
import { nextId } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { firstDue, timetableOf } from "./due.ts";
import {
  listScheduleRows,
  removeSchedule,
  scheduleRows,
  setDue,
  updateScheduleRow,
} from "./repository.ts";
import { CHECK_MEMBERS, type CheckMember, scheduleForm, type ScheduleRow } from "./schema.ts";
import { newScheduleRow } from "./scheduled.ts";

type Checked = Pick<
  TemplateRow,
  "id" | "project_id" | "repository_id" | "check_cron" | "check_after_commit"
>;

/** Minutes between two looks for new commits. */
const LOOK_MINUTES = 10;

/**
 * Returns the times and the repository of the schedule that stands for a member of a template; null
 * if the member is not set. All templates of a repository look for its commits in the same minutes,
 * because one answer serves them all.
 */
function settingsOf(member: CheckMember, { check_cron, check_after_commit, ...row }: Checked) {
  if (member === "check_cron") {
    return check_cron ? { cron_format: check_cron, repository_id: null } : null;
  }
  const { repository_id } = row;
  const cron_format = `${repository_id % LOOK_MINUTES}-59/${LOOK_MINUTES} * * * *`;
  return check_after_commit ? { cron_format, repository_id } : null;
}

/** Throws 400 if the times of a template's checks are invalid. */
export function requireCheckTimes({ id, check_cron }: Checked): void {
  if (!check_cron) return;
  try {
    timetableOf({
      ...{ type: "", cron_format: check_cron, timezone: null, run_at: null, active: true },
      ...{ check: true, template_id: id },
    });
  } catch (error) {
    if (error instanceof AppError) throw invalidField("check_cron", error.key, error.params);
    throw error;
  }
}

/** Returns the schedules of a template's checks, with an id for each from `idOf`. */
export function checkSchedules(template: Checked, idOf: () => number, now: Date): ScheduleRow[] {
  return CHECK_MEMBERS.flatMap((set_by) => {
    const settings = settingsOf(set_by, template);
    if (!settings) return [];
    const form = scheduleForm.parse({
      ...{ template_id: template.id, name: "", active: true, check: true, missed: "run_once" },
      ...settings,
    });
    const at = { id: idOf(), projectId: template.project_id };
    return [{ ...newScheduleRow(at, form, now), set_by }];
  });
}

/**
 * Adds the schedules of a template's checks to the commit of the template, which has to exist in
 * it. Throws 400 for invalid times.
 */
export async function putCheckSchedules(
  kv: Store,
  op: Atomic,
  template: Checked,
  now: Date,
): Promise<void> {
  requireCheckTimes(template);
  const { project_id, id: template_id } = template;
  const stored = (await listScheduleRows(kv, project_id, { template_id, workflow_id: null }))
    .filter(({ set_by }) => set_by);
  for (const member of CHECK_MEMBERS) {
    const before = stored.find(({ set_by }) => set_by === member);
    const settings = settingsOf(member, template);
    if (!settings) {
      if (before) await removeSchedule(kv, op, project_id, before.id);
    } else if (!before) {
      await guardProject(kv, op, project_id);
      const only = { ...template, check_cron: null, check_after_commit: false };
      const id = await nextId(kv, "schedules");
      const [row] = checkSchedules({ ...only, [member]: template[member] }, () => id, now);
      // The commit of the template holds all that the row refers to.
      scheduleRows.plant(op, row);
      op.set(rowKeys.resourcesStamp("schedules"), row.id);
      setDue(op, row);
    } else if (!isSame(before, settings)) {
      await updateScheduleRow(kv, op, project_id, before.id, (row) => {
        const changed = { ...row, ...settings, commit: null, last_error: null };
        return { ...changed, next_at: firstDue(changed, now) };
      });
    }
  }
}

const isSame = (row: ScheduleRow, settings: Pick<ScheduleRow, "cron_format" | "repository_id">) =>
  row.cron_format === settings.cron_format && row.repository_id === settings.repository_id;
