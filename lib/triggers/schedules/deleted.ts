import { rowKeys } from "../../kv/keys.ts";
import type { DeletedSchedule, ScheduleForm, ScheduleRow } from "./schema.ts";

/** Time within which a client that changes a schedule by deleting it creates it again. */
const KEPT_MS = 60_000;

/** Adds to `op` what the schedule that is being deleted leaves to one that is created right after. */
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
 * The settings that a new schedule has from the one that was deleted just before, where its client
 * knows neither names nor switches. They are given once: `op` deletes them.
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
