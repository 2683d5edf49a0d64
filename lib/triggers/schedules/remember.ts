import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../access/deps.ts";
import type { Sentence } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { scheduleActor, scheduleEvent } from "./actor.ts";
import { removeSchedule, scheduleRows, updateSchedule } from "./repository.ts";
import type { ScheduleRow } from "./schema.ts";

/** What came of a run: a task, made for a commit where one was asked for; nothing new; or a failure. */
export type Outcome =
  | { task: { id: number }; commit: string | null }
  | { task: null }
  | { error: Sentence };

/** Adds to `op` what the schedule keeps of a run. A one-time schedule that is to go, goes. */
export async function remember(
  deps: Deps,
  op: Deno.AtomicOperation,
  { project_id, id }: ScheduleRow,
  outcome: Outcome,
): Promise<void> {
  const found = await scheduleRows.find(deps.kv, project_id, id);
  if (!found) return; // deleted while its run was being started
  const { row } = found;
  if ("error" in outcome) return await rememberError(deps, op, row, outcome.error);
  if (row.delete_after_run && row.next_at === null) {
    await removeSchedule(deps.kv, op, project_id, id);
    return recordEvent(op, deps, scheduleActor(row), { ...scheduleEvent(row), action: "deleted" });
  }
  const { task } = outcome;
  if (task === null && row.last_error === null) return;
  await updateSchedule(deps.kv, op, project_id, id, (current) => ({
    ...current,
    last_error: null,
    last_task_id: task?.id ?? current.last_task_id,
    commit: task && current.repository_id !== null
      ? outcome.commit ?? current.commit
      : current.commit,
  }));
}

/** The same failure again and again is one event, so that it does not bury the others. */
async function rememberError(
  deps: Deps,
  op: Deno.AtomicOperation,
  row: ScheduleRow,
  { key, params }: Sentence,
) {
  const reason = { key, params };
  const { at: _, ...before } = row.last_error ?? { at: "" };
  const known = isDeepStrictEqual(before, reason);
  const at = deps.clock.now().toISOString();
  await updateSchedule(deps.kv, op, row.project_id, row.id, (current) => ({
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
