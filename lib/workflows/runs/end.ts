import type { Deps } from "../../access/deps.ts";
import { queueRunAlert } from "../../alerts/outbox.ts";
import { AppError, sentenceOf } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import { queueRun } from "../../queue/outboxes/workflow_outbox.ts";
import { runEvent } from "../events.ts";
import type { RunRow } from "../run_schema.ts";
import { runActor, runChanged, setRun } from "./changes.ts";
import { runKey } from "./new_run.ts";
import { closeRun } from "./stored_runs.ts";

/** The reason of an end that only the log of the server explains. */
export const INTERNAL = { key: "workflows.reason.internal" };

/** Adds to `op` all that follows from the end of a run. */
export async function addEnd(deps: Deps, op: Atomic, run: RunRow): Promise<void> {
  closeRun(op, run);
  recordEvent(op, deps, runActor(run), runEvent(run, `finished_${run.status}`));
  const { parent, project_id, workflow_id, workflow_name, id: run_id, status } = run;
  const { user_id, username, user_name } = run;
  // Lists of failing schedules are cached by this row.
  if (run.started_by?.kind === "schedule") {
    op.set(rowKeys.resourcesStamp("schedules"), run_id);
  }
  // The outermost run shows how those inside it have ended.
  if (!parent && status !== "stopped") {
    await queueRunAlert(op, deps, {
      ...{ project_id, workflow_id, workflow_name, run_id, user_id, username, user_name },
      failed: status === "failed",
      reason: run.end_reason,
      ...run.failed_task && { failed_task: run.failed_task },
    });
  }
  if (!parent) return;
  queueRun(op, deps, { project_id, run_id: parent.run_id });
}

/** Stops all steps that have neither a task nor a nested run. */
export function stopIdle(steps: RunRow["steps"], now: string): void {
  for (const [id, step] of Object.entries(steps)) {
    if (step.state !== "pending" && step.state !== "waiting") continue;
    steps[id] = { ...step, state: "stopped", end: now };
  }
}

/** The error of a step that the store refuses because of its size. */
export const tooLarge = () => new AppError(400, "errors.workflows.too_large");

/**
 * Fails the steps that begin to wait with a change that is too large to store. If none does, the
 * run fails.
 */
export async function failBegun(
  deps: Deps,
  entry: Deno.KvEntry<RunRow>,
  { steps }: RunRow,
): Promise<void> {
  const now = deps.clock.now().toISOString();
  const known = entry.value.steps;
  const failed = { ...known };
  for (const [id, { state }] of Object.entries(steps)) {
    if (state !== "waiting" || known[id].state !== "pending") continue;
    failed[id] = { state: "failed", start: now, end: now, reason: sentenceOf(tooLarge()) };
  }
  const { project_id, id: run_id } = entry.value;
  if (JSON.stringify(failed) === JSON.stringify(known)) {
    return await failRun(deps, { project_id, run_id });
  }
  const run = { ...entry.value, steps: failed };
  const op = deps.kv.atomic();
  setRun(op, entry, run);
  if ((await op.commit()).ok) runChanged(deps, run);
}

/** Ends a run that an error keeps from going on. Tasks and nested runs that have started go on. */
export async function failRun(
  deps: Deps,
  { project_id, run_id }: { project_id: number; run_id: number },
): Promise<void> {
  const { kv, clock } = deps;
  const failed = await transact(kv, async (op) => {
    const entry = await kv.get<RunRow>(runKey({ project_id, id: run_id }));
    if (!entry.value || entry.value.end !== null) return null;
    const now = clock.now().toISOString();
    const steps = { ...entry.value.steps };
    stopIdle(steps, now);
    for (const [id, step] of Object.entries(steps)) {
      if (step.state !== "running") continue;
      steps[id] = { ...step, state: "failed", end: now, reason: INTERNAL };
    }
    const run: RunRow = { ...entry.value, steps, status: "failed", end: now, end_reason: INTERNAL };
    setRun(op, entry, run);
    await addEnd(deps, op, run);
    return run;
  });
  if (failed) runChanged(deps, failed);
}
