import type { Deps } from "../../access/deps.ts";
import { recordEvent } from "../../events/record.ts";
import { transact } from "../../kv/transact.ts";
import { putWorkflowDue } from "../../queue/workflow_outbox.ts";
import { runEvent } from "../events.ts";
import type { RunRow } from "../run_schema.ts";
import { runActor, runChanged, setRun } from "./changes.ts";
import { runKey } from "./new_run.ts";
import { closeRun } from "./repository.ts";

/** The reason of an end that only the log of the server explains. */
export const INTERNAL = { key: "workflows.reason.internal" };

/** Adds to `op` all that follows from the end of a run. */
export function addEnd(deps: Deps, op: Deno.AtomicOperation, run: RunRow): void {
  closeRun(op, run);
  recordEvent(op, deps, runActor(run), runEvent(run, `finished_${run.status}`));
  const { parent, project_id } = run;
  if (!parent) return;
  putWorkflowDue(op, deps.clock.now(), { project_id, run_id: parent.run_id });
}

/** Stops all steps that no task and no nested run carries out. */
export function stopIdle(steps: RunRow["steps"], now: string): void {
  for (const [id, step] of Object.entries(steps)) {
    if (step.state !== "pending" && step.state !== "waiting") continue;
    steps[id] = { ...step, state: "stopped", end: now };
  }
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
    addEnd(deps, op, run);
    return run;
  });
  if (failed) runChanged(deps, failed);
}
