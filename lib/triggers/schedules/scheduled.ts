import { invalidField } from "../../base/errors.ts";
import { firstDue, timetableOf } from "./due.ts";
import type { DeletedSchedule, ScheduleForm, ScheduleRow } from "./schema.ts";
import type { WantedReferences } from "../../references/service.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import { type TriggerTarget, wantedTargets } from "../trigger_target.ts";

/**
 * The row of a new schedule. Members that `form` leaves open are taken from `like`. Throws 400 for
 * invalid times, or times in the past.
 */
export function newScheduleRow(
  { id, projectId }: { id: number; projectId: number },
  form: ScheduleForm,
  now: Date,
  like: Partial<ScheduleRow> = {},
): ScheduleRow {
  return scheduled(
    {
      id,
      project_id: projectId,
      template_id: form.template_id,
      workflow_id: form.workflow_id,
      name: "",
      type: "",
      cron_format: "",
      timezone: null,
      offset_days: 0,
      run_at: null,
      delete_after_run: false,
      active: true,
      repository_id: null,
      missed: "skip",
      if_waiting: "all",
      check: false,
      task_params: null,
      commit: null,
      next_at: null,
      last_task_id: null,
      last_run_id: null,
      last_error: null,
      ...like,
    },
    form,
    now,
  );
}

/** `row` with the members of `form`, and the resulting next time. */
export function scheduled(row: ScheduleRow, form: ScheduleForm, now: Date): ScheduleRow {
  const isOnce = form.type === "run_at";
  const changed: ScheduleRow = {
    ...row,
    ...form,
    name: kept(form.name, row.name),
    active: kept(form.active, row.active),
    task_params: kept(form.task_params, row.task_params),
    timezone: kept(form.timezone, row.timezone) || null,
    // Times that are not of a cron format are never moved.
    offset_days: kept(form.offset_days, row.offset_days) ?? 0,
    run_at: isOnce ? utc(form.run_at) : null,
    delete_after_run: isOnce && form.delete_after_run,
    missed: kept(form.missed, row.missed) ?? "skip",
    if_waiting: kept(form.if_waiting, row.if_waiting) ?? "all",
    check: form.template_id !== null && (kept(form.check, row.check) ?? false),
  };
  if (!isOnce) timetableOf(changed);
  else if (changed.run_at === null) throw invalidField("run_at", "errors.required");
  else if (changed.offset_days !== 0) throw invalidField("offset_days", "errors.cron.offset_once");
  if (changed.run_at !== row.run_at || changed.active !== row.active) requireFuture(changed, now);
  return { ...changed, next_at: nextTime(row, changed, now) };
}

/** `row` enabled or disabled. If it was enabled, its times are counted from now. */
export function switched(row: ScheduleRow, active: boolean, now: Date): ScheduleRow {
  if (row.active === active) return row;
  const changed = { ...row, active };
  requireFuture(changed, now);
  return { ...changed, next_at: firstDue(changed, now) };
}

/** An unchanged time stays, because an edit must not delay an `@every`. */
function nextTime(row: ScheduleRow, changed: ScheduleRow, now: Date): string | null {
  const same = row.type === changed.type && row.cron_format === changed.cron_format &&
    row.timezone === changed.timezone &&
    row.offset_days === changed.offset_days && row.run_at === changed.run_at &&
    row.active === changed.active;
  return same && row.next_at !== null ? row.next_at : firstDue(changed, now);
}

/** An enabled one-time schedule must have its time in the future. */
function requireFuture({ type, active, run_at }: ScheduleRow, now: Date) {
  if (type === "run_at" && active && Date.parse(run_at!) <= now.getTime()) {
    throw invalidField("run_at", "errors.run_at_past");
  }
}

const kept = <T>(sent: T | undefined, stored: T): T => sent === undefined ? stored : sent;
const utc = (time: string | null) => time ? new Date(time).toISOString() : null;

/** References of the form. */
export function targetsOf(
  { repository_id, task_params, ...target }:
    & Pick<ScheduleForm, "repository_id" | "task_params">
    & TriggerTarget,
): WantedReferences {
  const inventoryId = chosenInventory(task_params ?? null);
  return {
    ...wantedTargets(target),
    repository_id: repository_id === null ? null : ["repositories", repository_id],
    "task_params.inventory_id": inventoryId === null ? null : ["inventories", inventoryId],
  };
}

/** Time in which a client recreates a schedule that it deleted in order to change it. */
const KEPT_MS = 60_000;

/**
 * Adds to `op` the settings that a schedule created right after this deletion inherits. Clients
 * that need it know no workflows.
 */
export function leaveSettings(op: Atomic, row: ScheduleRow, now: Date): void {
  const { template_id, name, active, timezone, missed, if_waiting, check, task_params } = row;
  const { offset_days } = row;
  if (template_id === null) return;
  const left: DeletedSchedule = {
    name,
    active,
    timezone,
    offset_days,
    missed,
    if_waiting,
    check,
    task_params,
    at: now.toISOString(),
  };
  op.set(rowKeys.deletedSchedule(row.project_id, template_id), left, { expireIn: KEPT_MS });
}

/**
 * The settings that a new schedule inherits from one that was deleted just before, if its client
 * knows neither names nor flags. They are used once, and `op` deletes them.
 */
export async function takeSettings(
  kv: Store,
  op: Atomic,
  projectId: number,
  form: ScheduleForm,
  now: Date,
): Promise<Partial<ScheduleRow>> {
  if (form.name !== undefined || form.template_id === null) return {};
  const key = rowKeys.deletedSchedule(projectId, form.template_id);
  const left = await kv.get<DeletedSchedule>(key);
  if (!left.value) return {};
  op.check(left).delete(key);
  const { at, ...settings } = left.value;
  return Math.abs(now.getTime() - Date.parse(at)) <= KEPT_MS ? settings : {};
}
