import { rowKeys } from "../../kv/keys.ts";
import type { DeletedSchedule, ScheduleForm, ScheduleRow } from "./schema.ts";

/** Time in which a client recreates a schedule that it deleted in order to change it. */
const KEPT_MS = 60_000;

/** Adds to `op` the settings that a schedule created right after this deletion inherits. */
export function leaveSettings(op: Deno.AtomicOperation, row: ScheduleRow, now: Date): void {
  const { name, active, timezone, missed, task_params } = row;
  const left: DeletedSchedule = {
    name,
    active,
    timezone,
    missed,
    task_params,
    at: now.toISOString(),
  };
  op.set(rowKeys.deletedSchedule(row.project_id, row.template_id), left, { expireIn: KEPT_MS });
}

/**
 * The settings that a new schedule inherits from one that was deleted just before, if its client
 * knows neither names nor flags. They are used once, and `op` deletes them.
 */
export async function takeSettings(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  form: ScheduleForm,
  now: Date,
): Promise<Partial<ScheduleRow>> {
  if (form.name !== undefined) return {};
  const key = rowKeys.deletedSchedule(projectId, form.template_id);
  const left = await kv.get<DeletedSchedule>(key);
  if (!left.value) return {};
  op.check(left).delete(key);
  const { at, ...settings } = left.value;
  return Math.abs(now.getTime() - Date.parse(at)) <= KEPT_MS ? settings : {};
}
