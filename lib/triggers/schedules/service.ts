import type { ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { conflict, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { readTargets } from "../../references/service.ts";
import { templateRows } from "../../templates/repository.ts";
import { scheduleEvent } from "./actor.ts";
import { nextRuns, parseCron } from "./cron.ts";
import {
  insertSchedule,
  listScheduleRows as listTemplateRows,
  removeSchedule,
  scheduleRows,
  updateScheduleRow as updateRow,
} from "./repository.ts";
import { isReplaceable, type ScheduleForm, type ScheduleRow, type ScheduleView } from "./schema.ts";
import {
  leaveSettings,
  newScheduleRow,
  scheduled,
  switched,
  takeSettings,
  targetsOf,
} from "./scheduled.ts";
import { comingRuns } from "./due.ts";

/**
 * Maximum number of schedules per template. They are deleted with it in one commit, which KV
 * limits.
 */
const SCHEDULES_PER_TEMPLATE_MAX = 40;

export async function listSchedules({ deps, projectId }: ProjectScope): Promise<ScheduleView[]> {
  const [rows, templates] = await Promise.all([
    scheduleRows.list(deps.kv, projectId),
    templateRows.list(deps.kv, projectId),
  ]);
  const names = new Map(templates.map(({ id, name }) => [id, name]));
  return rows.map((row) => scheduleView(row, names.get(row.template_id) ?? ""));
}

/** The schedules of one template. */
export async function listTemplateSchedules(
  { deps, projectId }: ProjectScope,
  templateId: number,
): Promise<ScheduleView[]> {
  const { name } = await templateRows.get(deps.kv, projectId, templateId);
  const rows = await listTemplateRows(deps.kv, projectId, templateId);
  return rows.map((row) => scheduleView(row, name));
}

/**
 * The schedules of one template that a form with only a cron format can replace. Some front ends
 * have such a form. It deletes the only schedule in the answer if the cron format is blank.
 */
export async function listReplaceableSchedules(
  scope: ProjectScope,
  templateId: number,
): Promise<ScheduleView[]> {
  return (await listTemplateSchedules(scope, templateId)).filter(isReplaceable);
}

export async function getSchedule({ deps, projectId }: ProjectScope, id: number) {
  return await viewOf(deps, await scheduleRows.get(deps.kv, projectId, id));
}

/** Creates a schedule. Its times are counted from now. */
export async function createSchedule(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: ScheduleForm,
): Promise<ScheduleView> {
  const { kv } = deps;
  const id = await nextId(kv, "schedules");
  const now = deps.clock.now();
  const row = await transact(kv, async (op) => {
    const like = await takeSettings(kv, op, projectId, form, now);
    const row = newScheduleRow({ id, projectId }, form, now, like);
    await readTargets(kv, op, projectId, targetsOf(row));
    await insertSchedule(kv, op, row);
    const others = await listTemplateRows(kv, projectId, row.template_id);
    if (others.length >= SCHEDULES_PER_TEMPLATE_MAX) {
      throw conflict("errors.too_many_schedules", { max: SCHEDULES_PER_TEMPLATE_MAX });
    }
    recordEvent(op, deps, actor, { ...scheduleEvent(row), action: "created" });
    return row;
  });
  return await viewOf(deps, row);
}

/**
 * Changes a schedule. The stored commit is removed, so that its next time starts a task. Throws 412
 * if the stored schedule is not `expected`.
 */
export async function updateSchedule(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: ScheduleForm,
  expected?: Expected,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    await readTargets(deps.kv, op, projectId, targetsOf(form));
    const row = await updateRow(
      deps.kv,
      op,
      projectId,
      id,
      (row) => {
        requireVersion(setOf(row), expected);
        return { ...scheduled(row, form, deps.clock.now()), commit: null };
      },
    );
    recordEvent(op, deps, actor, { ...scheduleEvent(row), action: "updated" });
  });
}

/** Enables or disables a schedule. Times of an enabled one are counted from now. */
export async function setScheduleActive(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  active: boolean,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const now = deps.clock.now();
    const row = await updateRow(deps.kv, op, projectId, id, (row) => switched(row, active, now));
    recordEvent(op, deps, actor, {
      ...scheduleEvent(row),
      action: active ? "activated" : "deactivated",
    });
  });
}

export async function deleteSchedule(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
) {
  await transact(deps.kv, async (op) => {
    const row = await removeSchedule(deps.kv, op, projectId, id);
    requireVersion(setOf(row), expected);
    leaveSettings(op, row, deps.clock.now());
    recordEvent(op, deps, actor, { ...scheduleEvent(row), action: "deleted" });
  });
}

/** The next `count` times of a cron format. Throws 400 with a sentence if it is invalid. */
export function previewCron(
  { deps }: ProjectScope<"manage_resources">,
  { cron_format, timezone }: { cron_format: string; timezone: string | null },
  count = 5,
): string[] {
  return nextRuns(parseCron(cron_format, timezone), deps.clock.now(), count)
    .map((run) => run.toISOString());
}

async function viewOf(deps: Deps, row: ScheduleRow): Promise<ScheduleView> {
  const template = await templateRows.find(deps.kv, row.project_id, row.template_id);
  if (!template) throw notFound();
  return scheduleView(row, template.row.name);
}

const NEXT_RUNS = 5;

/** A schedule as the API returns it. */
function scheduleView(row: ScheduleRow, templateName: string): ScheduleView {
  const { commit: _, next_at: __, last_error, ...shown } = row;
  return versioned({
    ...shown,
    tpl_name: templateName,
    if_waiting: row.if_waiting ?? "all",
    last_skipped_at: row.last_skipped_at ?? null,
    next_runs: comingRuns(row, NEXT_RUNS),
    last_error: last_error && { key: last_error.key, params: last_error.params },
    last_error_at: last_error && last_error.at,
  }, setOf(row));
}

/** The members of a schedule that people set. The others change with each of its tasks. */
function setOf(
  { commit: _, checking_until: __, next_at: ___, last_task_id: ____, last_error: _____, ...set }:
    ScheduleRow,
): object {
  return set;
}
