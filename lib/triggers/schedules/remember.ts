import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../access/deps.ts";
import type { Sentence } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { scheduleActor, scheduleEvent } from "./actor.ts";
import { removeSchedule, scheduleRows, updateScheduleRow } from "./repository.ts";
import type { Firing } from "./firing.ts";
import type { ScheduleRow } from "./schema.ts";
import type { Atomic } from "../../store/store.ts";

/**
 * Result of a time: a task or a run, with its commit if one was checked; no new commit; the reason
 * why an earlier task or run was not followed by another; or a failure.
 */
export type ScheduleOutcome =
  | { started: Started; commit: string | null }
  | { started: null }
  | { skipped: Sentence }
  | { error: Sentence };

/** The latest task or run of the schedule. */
export type Started = { last_task_id: number } | { last_run_id: number };

/**
 * Adds the result of a time to the schedule in `op`. Deletes a one-time schedule if it is set to be
 * deleted.
 */
export async function remember(
  deps: Deps,
  op: Atomic,
  { project_id, schedule_id: id }: Pick<Firing, "project_id" | "schedule_id">,
  outcome: ScheduleOutcome,
): Promise<void> {
  const found = await scheduleRows.find(deps.kv, project_id, id);
  if (!found) return; // deleted while its task was being started
  const { row } = found;
  if ("error" in outcome) return await rememberError(deps, op, row, outcome.error);
  if ("skipped" in outcome) return await rememberSkipped(deps, op, row, outcome.skipped);
  if (row.delete_after_run && row.next_at === null) {
    await removeSchedule(deps.kv, op, project_id, id);
    return recordEvent(op, deps, scheduleActor(row), { ...scheduleEvent(row), action: "deleted" });
  }
  const { started } = outcome;
  if (started === null && row.last_error === null) return;
  await updateScheduleRow(deps.kv, op, project_id, id, (current) => ({
    ...current,
    last_error: null,
    last_skipped_at: started ? undefined : current.last_skipped_at,
    ...started,
    commit: started && current.repository_id !== null
      ? outcome.commit ?? current.commit
      : current.commit,
  }));
}

/** Several skipped times in a row are one event. */
async function rememberSkipped(
  deps: Deps,
  op: Atomic,
  row: ScheduleRow,
  reason: Sentence,
) {
  const last_skipped_at = deps.clock.now().toISOString();
  await updateScheduleRow(deps.kv, op, row.project_id, row.id, (current) => ({
    ...current,
    last_error: null,
    last_skipped_at,
  }));
  if (row.last_skipped_at) return;
  recordEvent(op, deps, scheduleActor(row), {
    ...scheduleEvent(row),
    action: "skipped",
    params: { reason },
  });
}

/** A repeated failure is one event, so that it does not hide others. */
async function rememberError(
  deps: Deps,
  op: Atomic,
  row: ScheduleRow,
  { key, params }: Sentence,
) {
  const reason = { key, params };
  const { at: _, ...before } = row.last_error ?? { at: "" };
  const known = isDeepStrictEqual(before, reason);
  const at = deps.clock.now().toISOString();
  await updateScheduleRow(deps.kv, op, row.project_id, row.id, (current) => ({
    ...current,
    last_error: { ...reason, at },
  }));
  if (known) return;
  recordEvent(op, deps, scheduleActor(row), {
    ...scheduleEvent(row),
    action: "failed",
    params: { reason },
  });
}
