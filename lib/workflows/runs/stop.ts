import { userIdOf } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { getSeenRun } from "../seen.ts";
import { forbidden } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import { mayStop } from "../../queue/ending/may_stop.ts";
import { stoppedBy } from "../../queue/ending/stop.ts";
import { queueRun } from "../../queue/outboxes/workflow_outbox.ts";
import { runEvent } from "../events.ts";
import type { RunRow } from "../run_schema.ts";
import { runChanged, setRun } from "./changes.ts";

/**
 * Stops a run: no further step starts, and its tasks are stopped, or killed with `force`. A run
 * that has ended stays as it is. Throws as `requireRunStopper` does.
 */
export async function stopRun(
  scope: ProjectScope,
  workflowId: number,
  id: number,
  force: boolean,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const run = await requireRunStopper(scope, workflowId, id);
  const stop = force ? "force" : "stop";
  const stopped_by = {
    id: userIdOf(actor),
    username: actor.kind === "user" ? actor.username : null,
  };
  const asked = { stop, stopped_by, end_reason: stoppedBy(actor) } as const;
  await transact(deps.kv, async (op) => {
    if (!await addStop(deps, op, { projectId, id }, asked)) return;
    recordEvent(op, deps, actor, runEvent(run, force ? "force_stopped" : "stop_requested"));
  });
  runChanged(deps, run);
}

/** Returns a run. Throws 404, and 403 for people who may not stop it. */
export async function requireRunStopper(
  scope: ProjectScope,
  workflowId: number,
  id: number,
): Promise<RunRow> {
  const { value: run } = await getSeenRun(scope, workflowId, id);
  if (!mayStop(scope, [run.user_id])) throw forbidden();
  return run;
}

/** Adds the stop of a run to `op`. Returns whether it was neither ended nor stopped as much. */
export async function addStop(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  op: Atomic,
  { projectId, id }: { projectId: number; id: number },
  asked: Pick<RunRow, "stop" | "stopped_by" | "end_reason">,
): Promise<boolean> {
  const entry = await kv.get<RunRow>(rowKeys.workflowRun(projectId, id));
  if (!entry.value || entry.value.end !== null) return false;
  if (entry.value.stop === asked.stop || entry.value.stop === "force") return false;
  setRun(op, entry, { ...entry.value, ...asked });
  queueRun(op, { clock }, { project_id: projectId, run_id: id });
  return true;
}
