import type { ProjectScope } from "../../access/scope.ts";
import { type Sight, sightOf } from "../../access/sight.ts";
import type { Deps } from "../../access/deps.ts";
import { conflict, notFound } from "../../base/errors.ts";
import { onceFor } from "../../base/once_for.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { nextId } from "../../store/ids.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { requireUnattended } from "../../queue/inputs/personal.ts";
import { readTargets } from "../../references/service.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import { templateRows } from "../../templates/repository.ts";
import { workflowRows } from "../../workflows/repository.ts";
import { scheduleEvent } from "./actor.ts";
import { nextRuns, parseCron } from "./cron.ts";
import {
  insertSchedule,
  listScheduleRows,
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
import { requireMayTrigger, requireTriggerSeen } from "../seen_target.ts";
import { chosenValue, type TriggerTarget } from "../trigger_target.ts";
import { type NamedSchedule, namedSchedules } from "./named.ts";

/**
 * Maximum number of schedules of a template or workflow. Those of a template are deleted with it in
 * one commit, which KV limits.
 */
const SCHEDULES_PER_TARGET_MAX = 40;

/**
 * The project's schedules, each with its next run alone, because computing more of them for all
 * schedules takes long. Callers must not change them.
 */
export async function listSchedules(scope: ProjectScope): Promise<readonly ScheduleView[]> {
  const sight = await sightOf(scope);
  const all = viewsOf(await namedSchedules(scope.deps.kv, scope.projectId));
  return sight.seesAll ? all : all.flatMap((view) => seenView(sight, view));
}

/** Returns a schedule as the actor sees it: none for a hidden target, and without hidden tasks. */
function seenView(sight: Sight, view: ScheduleView): ScheduleView[] {
  if (!sight.maySeeTarget(view)) return [];
  return sight.seesAllTasks ? [view] : [{ ...view, last_task_id: null, last_run_id: null }];
}

const viewsOf = onceFor((schedules: readonly NamedSchedule[]) =>
  schedules.map(({ row, name }) => scheduleView(row, name, 1))
);

/** The schedules with these ids that exist, in this order, with all next runs. */
export async function getSchedules(
  scope: ProjectScope,
  ids: readonly number[],
): Promise<ScheduleView[]> {
  const sight = await sightOf(scope);
  const known = await namedSchedules(scope.deps.kv, scope.projectId);
  const byId = new Map(known.map((schedule) => [schedule.row.id, schedule]));
  return ids.flatMap((id) => byId.get(id) ?? [])
    .flatMap(({ row, name }) => seenView(sight, scheduleView(row, name)));
}

/** The schedules of one workflow. */
export async function listWorkflowSchedules(
  scope: ProjectScope,
  workflowId: number,
): Promise<ScheduleView[]> {
  await workflowRows.get(scope.deps.kv, scope.projectId, workflowId);
  return await listSchedulesOf(scope, { template_id: null, workflow_id: workflowId });
}

/** The schedules of one template. */
export async function listTemplateSchedules(
  scope: ProjectScope,
  templateId: number,
): Promise<ScheduleView[]> {
  await templateRows.get(scope.deps.kv, scope.projectId, templateId);
  return await listSchedulesOf(scope, { template_id: templateId, workflow_id: null });
}

/** Returns the schedules of a target. Throws 404 if the actor does not see it. */
async function listSchedulesOf(
  scope: ProjectScope,
  target: TriggerTarget,
): Promise<ScheduleView[]> {
  await requireTriggerSeen(scope, target);
  const sight = await sightOf(scope);
  const known = await namedSchedules(scope.deps.kv, scope.projectId);
  return known.filter(({ row }) => chosenValue(row) === chosenValue(target))
    .flatMap(({ row, name }) => seenView(sight, scheduleView(row, name)));
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

export async function getSchedule(scope: ProjectScope, id: number): Promise<ScheduleView> {
  const row = await scheduleRows.get(scope.deps.kv, scope.projectId, id);
  const [view] = seenView(await sightOf(scope), await viewOf(scope.deps, row));
  if (!view) throw notFound();
  return view;
}

/** Creates a schedule. Its times are counted from now. */
export async function createSchedule(
  scope: ProjectScope<"manage_triggers">,
  form: ScheduleForm,
): Promise<ScheduleView> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireMayTrigger(scope, form);
  const id = await nextId(kv, "schedules");
  const now = deps.clock.now();
  const row = await transact(kv, async (op) => {
    const like = await takeSettings(kv, op, projectId, form, now);
    const row = newScheduleRow({ id, projectId }, form, now, like);
    await readTargets(kv, op, projectId, targetsOf(row));
    await requireStartable(kv, projectId, row);
    await insertSchedule(kv, op, row);
    const others = (await listScheduleRows(kv, projectId, row)).filter(({ set_by }) => !set_by);
    if (others.length >= SCHEDULES_PER_TARGET_MAX) {
      throw conflict("errors.too_many_schedules", { max: SCHEDULES_PER_TARGET_MAX });
    }
    const event = { ...scheduleEvent(row), action: "created" };
    await recordChange(op, deps, actor, event, { before: null, after: setOf(row) });
    return row;
  });
  return await viewOf(deps, row);
}

/**
 * Changes a schedule. The stored commit is removed, so that its next time starts a task. Throws 412
 * if the stored schedule is not `expected`.
 */
export async function updateSchedule(
  scope: ProjectScope<"manage_triggers">,
  id: number,
  form: ScheduleForm,
  expected?: Expected,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await requireMayTrigger(scope, await getSchedule(scope, id));
  await requireMayTrigger(scope, form);
  await transact(deps.kv, async (op) => {
    await readTargets(deps.kv, op, projectId, targetsOf(form));
    await requireStartable(deps.kv, projectId, form);
    let before: object | null = null;
    const row = await updateRow(deps.kv, op, projectId, id, (stored) => {
      requireOwn(stored);
      before = setOf(stored);
      requireVersion(before, expected);
      return { ...scheduled(stored, form, deps.clock.now()), commit: null };
    });
    const event = { ...scheduleEvent(row), action: "updated" };
    await recordChange(op, deps, actor, event, { before, after: setOf(row) });
  });
}

/** Throws 400 for an active schedule of a template whose tasks only people can start. */
const requireStartable = async (
  kv: Store,
  projectId: number,
  { active, template_id, task_params }: Pick<
    ScheduleForm,
    "active" | "template_id" | "task_params"
  >,
): Promise<void> => {
  if (!active) return;
  await requireUnattended(kv, projectId, template_id, {
    inventoryId: chosenInventory(task_params ?? null),
    field: "template_id",
  });
};

/** Enables or disables a schedule. Times of an enabled one are counted from now. */
export async function setScheduleActive(
  scope: ProjectScope<"manage_triggers">,
  id: number,
  active: boolean,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const schedule = await getSchedule(scope, id);
  if (active) await requireMayTrigger(scope, schedule);
  await transact(deps.kv, async (op) => {
    const now = deps.clock.now();
    let before: object | null = null;
    const row = await updateRow(deps.kv, op, projectId, id, (stored) => {
      requireOwn(stored);
      before = setOf(stored);
      return switched(stored, active, now);
    });
    await requireStartable(deps.kv, projectId, row);
    const event = { ...scheduleEvent(row), action: active ? "activated" : "deactivated" };
    await recordChange(op, deps, actor, event, { before, after: setOf(row) });
  });
}

export async function deleteSchedule(
  scope: ProjectScope<"manage_triggers">,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await getSchedule(scope, id);
  await transact(deps.kv, async (op) => {
    const row = await removeSchedule(deps.kv, op, projectId, id);
    requireOwn(row);
    requireVersion(setOf(row), expected);
    leaveSettings(op, row, deps.clock.now());
    const event = { ...scheduleEvent(row), action: "deleted" };
    await recordChange(op, deps, actor, event, { before: setOf(row), after: null });
  });
}

/** Throws 409 for a schedule that a member of its template stands for. */
function requireOwn({ set_by }: ScheduleRow): void {
  if (set_by) throw conflict("errors.drift.set_by_template");
}

/** The next `count` times of a cron format. Throws 400 with a sentence if it is invalid. */
export function previewCron(
  { deps }: ProjectScope<"manage_triggers">,
  { cron_format, timezone, offset_days = 0 }: {
    cron_format: string;
    timezone: string | null;
    offset_days?: number;
  },
  count = 5,
): string[] {
  return nextRuns(parseCron(cron_format, timezone, offset_days), deps.clock.now(), count)
    .map((run) => run.toISOString());
}

async function viewOf(deps: Deps, row: ScheduleRow): Promise<ScheduleView> {
  const { project_id: projectId, template_id, workflow_id } = row;
  const target = workflow_id
    ? await workflowRows.find(deps.kv, projectId, workflow_id)
    : template_id && await templateRows.find(deps.kv, projectId, template_id);
  if (!target) throw notFound();
  return scheduleView(row, target.row.name);
}

const NEXT_RUNS = 5;

/** A schedule as the API returns it. */
function scheduleView(row: ScheduleRow, name: string, nextRuns = NEXT_RUNS): ScheduleView {
  const { commit, next_at: _, last_error, ...shown } = row;
  return versioned({
    ...shown,
    tpl_name: name,
    set_by: row.set_by ?? null,
    last_skipped_at: row.last_skipped_at ?? null,
    last_commit_hash: commit,
    next_runs: comingRuns(row, nextRuns),
    last_error: last_error && { key: last_error.key, params: last_error.params },
    last_error_at: last_error && last_error.at,
  }, setOf(row));
}

/** The members of a schedule that people set. The others change with each of its tasks. */
function setOf(
  { commit: _, next_at: __, last_task_id: ___, last_run_id: ____, ...row }: ScheduleRow,
): object {
  const { last_error: _last, ...set } = row;
  return set;
}
