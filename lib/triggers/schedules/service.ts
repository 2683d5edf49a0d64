import type { ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { conflict, invalidField, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { readTargets, type Wanted } from "../../references/service.ts";
import { templateRows } from "../../templates/repository.ts";
import { scheduleEvent } from "./actor.ts";
import { nextRun, parseCron } from "./cron.ts";
import { firstDue, timetableOf } from "./due.ts";
import {
  insertSchedule,
  listTemplateSchedules as listTemplateRows,
  removeSchedule,
  scheduleRows,
  updateSchedule as updateRow,
} from "./repository.ts";
import {
  inventoryOf,
  isReplaceable,
  type ScheduleForm,
  type ScheduleRow,
  type ScheduleView,
} from "./schema.ts";
import { scheduleView } from "./view.ts";

/** All of a template's schedules are deleted with it, in one commit: KV bounds how many may be. */
const SCHEDULES_PER_TEMPLATE_MAX = 40;

/** The project's schedules. */
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
 * The schedules of one template that a form of its cron format alone can replace: front ends that
 * have such a form delete all that they are answered, and make what was typed anew.
 */
export async function listReplaceableSchedules(
  ...template: Parameters<typeof listTemplateSchedules>
): Promise<ScheduleView[]> {
  return (await listTemplateSchedules(...template)).filter(isReplaceable);
}

/** One schedule. */
export async function getSchedule({ deps, projectId }: ProjectScope, id: number) {
  return await viewOf(deps, await scheduleRows.get(deps.kv, projectId, id));
}

/** Makes a schedule; it comes from now on. */
export async function createSchedule(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: ScheduleForm,
): Promise<ScheduleView> {
  const { kv } = deps;
  const id = await nextId(kv, "schedules");
  const row = newScheduleRow({ id, projectId }, form, deps.clock.now());
  await transact(kv, async (op) => {
    await readTargets(kv, op, projectId, targetsOf(form));
    await insertSchedule(kv, op, row);
    const others = await listTemplateRows(kv, projectId, row.template_id);
    if (others.length >= SCHEDULES_PER_TEMPLATE_MAX) {
      throw conflict("errors.too_many_schedules", { max: SCHEDULES_PER_TEMPLATE_MAX });
    }
    recordEvent(op, deps, actor, { ...scheduleEvent(row), action: "created" });
  });
  return await viewOf(deps, row);
}

/** The row of a new schedule. Throws 400 for times that cannot be, or lie in the past. */
export function newScheduleRow(
  { id, projectId }: { id: number; projectId: number },
  form: ScheduleForm,
  now: Date,
): ScheduleRow {
  return scheduled(
    {
      id,
      project_id: projectId,
      template_id: form.template_id,
      name: "",
      type: "",
      cron_format: "",
      timezone: null,
      run_at: null,
      delete_after_run: false,
      active: true,
      repository_id: null,
      missed: "skip",
      task_params: null,
      commit: null,
      next_at: null,
      last_task_id: null,
      last_error: null,
    },
    form,
    now,
  );
}

/** Changes a schedule. The remembered commit is forgotten, so that its next time runs. */
export async function updateSchedule(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: ScheduleForm,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    await readTargets(deps.kv, op, projectId, targetsOf(form));
    const row = await updateRow(
      deps.kv,
      op,
      projectId,
      id,
      (row) => ({ ...scheduled(row, form, deps.clock.now()), commit: null }),
    );
    recordEvent(op, deps, actor, { ...scheduleEvent(row), action: "updated" });
  });
}

/** Switches a schedule on or off; switched on, it comes from now on. */
export async function setScheduleActive(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  active: boolean,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const row = await updateRow(deps.kv, op, projectId, id, (row) => {
      if (row.active === active) return row;
      const now = deps.clock.now();
      const changed = { ...row, active };
      requireFuture(changed, now);
      return { ...changed, next_at: firstDue(changed, now) };
    });
    recordEvent(op, deps, actor, {
      ...scheduleEvent(row),
      action: active ? "activated" : "deactivated",
    });
  });
}

/** Deletes a schedule. */
export async function deleteSchedule(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
) {
  await transact(deps.kv, async (op) => {
    const row = await removeSchedule(deps.kv, op, projectId, id);
    recordEvent(op, deps, actor, { ...scheduleEvent(row), action: "deleted" });
  });
}

/** The next `count` times of a cron format. Throws 400 with a sentence when it cannot be read. */
export function previewCron(
  { deps }: ProjectScope<"manage_resources">,
  { cron_format, timezone }: { cron_format: string; timezone: string | null },
  count = 5,
): string[] {
  const timetable = parseCron(cron_format, timezone);
  const runs: Date[] = [];
  for (let at: Date | null = deps.clock.now(); runs.length < count; runs.push(at)) {
    at = nextRun(timetable, at);
    if (!at) break;
  }
  return runs.map((run) => run.toISOString());
}

function targetsOf({ template_id, repository_id, task_params }: ScheduleForm): Wanted {
  const inventoryId = inventoryOf(task_params);
  return {
    template_id: ["templates", template_id],
    repository_id: repository_id === null ? null : ["repositories", repository_id],
    "task_params.inventory_id": inventoryId === null ? null : ["inventories", inventoryId],
  };
}

/** `row` with what `form` says, and the time when it then comes next. */
function scheduled(row: ScheduleRow, form: ScheduleForm, now: Date): ScheduleRow {
  const isOnce = form.type === "run_at";
  const changed: ScheduleRow = {
    ...row,
    ...form,
    timezone: kept(form.timezone, row.timezone) || null,
    run_at: isOnce ? utc(form.run_at) : null,
    delete_after_run: isOnce && form.delete_after_run,
    missed: kept(form.missed, row.missed) ?? "skip",
  };
  if (!isOnce) timetableOf(changed);
  else if (changed.run_at === null) throw invalidField("run_at", "errors.required");
  if (changed.run_at !== row.run_at || changed.active !== row.active) requireFuture(changed, now);
  return { ...changed, next_at: nextTime(row, changed, now) };
}

/** Its time stays when nothing about it changed: an edit must not put an `@every` off. */
function nextTime(row: ScheduleRow, changed: ScheduleRow, now: Date): string | null {
  const same = row.type === changed.type && row.cron_format === changed.cron_format &&
    row.timezone === changed.timezone && row.run_at === changed.run_at &&
    row.active === changed.active;
  return same && row.next_at !== null ? row.next_at : firstDue(changed, now);
}

/** A one-time schedule that is on must have its time ahead of it. */
function requireFuture({ type, active, run_at }: ScheduleRow, now: Date) {
  if (type === "run_at" && active && Date.parse(run_at!) <= now.getTime()) {
    throw invalidField("run_at", "errors.run_at_past");
  }
}

const kept = <T>(sent: T | undefined, stored: T): T => sent === undefined ? stored : sent;
const utc = (time: string | null) => time ? new Date(time).toISOString() : null;

async function viewOf(deps: Deps, row: ScheduleRow): Promise<ScheduleView> {
  const template = await templateRows.find(deps.kv, row.project_id, row.template_id);
  if (!template) throw notFound();
  return scheduleView(row, template.row.name);
}
