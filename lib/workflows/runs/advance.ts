import type { Deps } from "../../access/deps.ts";
import { openProject } from "../../access/scope.ts";
import { queueApprovalAlert } from "../../alerts/outbox.ts";
import { AppError, type Sentence, sentenceOf } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { recordEvent } from "../../events/record.ts";
import { StoreLimitError } from "../../store/limits.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { stopTask } from "../../queue/ending/stop.ts";
import { isTemporary, WAITS_MS } from "../../queue/outboxes/temporary.ts";
import { labelOf } from "../definition.ts";
import { decideRun, failedStep, failuresBefore } from "../engine.ts";
import { runEvent } from "../events.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import type { ApprovalStep, Definition, NestedStep, Step, TemplateStep } from "../schema.ts";
import { isEnded } from "../step_state.ts";
import { approveAgain, InputsChanged } from "./approved.ts";
import { runActor, runChanged, setRun, statusOf, withStep } from "./changes.ts";
import { addEnd, failBegun, INTERNAL, stopIdle, tooLarge } from "./end.ts";
import { readRunFailure } from "./failure.ts";
import { messageOf } from "./message.ts";
import { runKey } from "./new_run.ts";
import { deadlineOf, observe } from "./observe.ts";
import { readDefinition } from "./repository.ts";
import { Overtaken, startStep } from "./start_step.ts";
import { addStop } from "./stop.ts";

/**
 * Lets an open run go on by one commit, or starts the steps that may start. Returns whether more
 * may follow immediately.
 */
export async function advanceRun(deps: Deps, entry: Deno.KvEntry<RunRow>): Promise<boolean> {
  const run = entry.value;
  const definition = await readDefinition(deps.kv, run);
  const now = deps.clock.now().toISOString();
  const steps = await observe(deps, run, definition);
  if (run.stop !== "") stopIdle(steps, now);
  const { start, skip, end } = decideRun(definition.steps, steps);
  for (const { id, reason } of skip) steps[id] = { state: "skipped", end: now, reason };
  const ready = run.stop === "" ? start.filter((id) => !isPostponed(steps[id], now)) : [];
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  for (const id of ready) begin(deps, steps, definition, byId.get(id)!);
  const next = { ...run, steps, status: statusOf(steps) };
  if (JSON.stringify(steps) !== JSON.stringify(run.steps) || end) {
    await store(
      deps,
      entry,
      end ? await ended(deps.kv, next, definition, end, now) : next,
      definition,
    );
    return true;
  }
  if (run.stop !== "") return await passOnStop(deps, run);
  let isMoved = false;
  for (const id of ready) {
    const step = byId.get(id)!;
    if (step.kind !== "template" && step.kind !== "workflow") continue;
    await tryToStart(deps, run, definition, step);
    isMoved = true;
  }
  return isMoved;
}

/** Whether another attempt to start a step is due later. */
const isPostponed = ({ until }: RunStep, now: string) => until !== undefined && until > now;

/** Lets a step begin that waits for votes or for its time. */
function begin(
  { clock }: Deps,
  steps: RunRow["steps"],
  definition: Definition,
  step: Step,
): void {
  if (step.kind !== "approval" && step.kind !== "wait") return;
  const until = deadlineOf(step, clock.now());
  steps[step.id] = {
    state: "waiting",
    start: clock.now().toISOString(),
    handles: failuresBefore(definition.steps, step.id, steps),
    ...until && { until },
    ...steps[step.id].again && { again: steps[step.id].again },
    ...step.kind === "approval" && { approved: 0 },
  };
}

/** Returns the run at its end. */
async function ended(
  kv: Store,
  run: RunRow,
  { steps }: Definition,
  end: "success" | "failed",
  now: string,
): Promise<RunRow> {
  const isStopped = run.stop !== "" &&
    Object.values(run.steps).some(({ state }) => state === "stopped");
  if (isStopped) return { ...run, status: "stopped", end: now };
  const failed = end === "failed" ? failedStep(steps, run.steps) : undefined;
  const failure = failed ? await readRunFailure(kv, run, failed) : { end_reason: null };
  return { ...run, status: end, end: now, ...failure };
}

/** Stores a changed run with all that follows from it, unless another server was faster. */
async function store(
  deps: Deps,
  entry: Deno.KvEntry<RunRow>,
  run: RunRow,
  { steps }: Definition,
): Promise<void> {
  try {
    const op = deps.kv.atomic();
    setRun(op, entry, run);
    for (const step of steps) {
      const [before, after] = [entry.value.steps[step.id], run.steps[step.id]];
      if (step.kind === "approval" && before.state !== after.state) {
        await alertApprovers(deps, op, run, step, after);
      }
    }
    if (run.end !== null) await addEnd(deps, op, run);
    if ((await op.commit()).ok) runChanged(deps, run);
  } catch (error) {
    if (!(error instanceof StoreLimitError)) throw error;
    deps.log("error", "workflow_failed", { run: run.id, ...describeError(error) });
    await failBegun(deps, entry, run);
  }
}

/** Adds what follows if an approval begins to wait, or if its time limit has decided it. */
async function alertApprovers(
  deps: Deps,
  op: Atomic,
  run: RunRow,
  step: ApprovalStep,
  { state, timed_out, again }: RunStep,
): Promise<void> {
  const action = state === "waiting" ? "approval_waits" : timed_out ? `timed_out_${state}` : null;
  if (action) recordEvent(op, deps, runActor(run), runEvent(run, action, { step: labelOf(step) }));
  if (state !== "waiting") return;
  const { roles, user_ids, not_starter, message } = step.approval;
  const { project_id, workflow_id, workflow_name, id: run_id } = run;
  const { user_id, username, user_name } = run;
  await queueApprovalAlert(op, deps, {
    ...{ project_id, workflow_id, workflow_name, run_id, user_id, username, user_name },
    step: labelOf(step),
    message: await messageOf(deps.kv, run, message),
    ...again && { again },
    voters: { roles, user_ids, except: not_starter ? user_id : null },
  });
}

/** Starts a step. It tries again after a failure that may be temporary. Others fail the step. */
async function tryToStart(
  deps: Deps,
  run: RunRow,
  definition: Definition,
  step: TemplateStep | NestedStep,
): Promise<void> {
  try {
    await startStep(deps, run, definition, step);
  } catch (error) {
    if (error instanceof Overtaken) return;
    if (error instanceof InputsChanged) return await approveAgain(deps, run, definition, error);
    if (!(error instanceof AppError)) {
      deps.log("error", "workflow_step_failed", {
        run: run.id,
        step: step.id,
        ...describeError(error),
      });
    }
    await storeFailure(deps, run, step.id, error instanceof StoreLimitError ? tooLarge() : error);
  }
}

/** Stores that a step could not be started, unless it was started or stopped meanwhile. */
async function storeFailure(deps: Deps, run: RunRow, id: number, error: unknown): Promise<void> {
  const { kv, clock } = deps;
  const now = clock.now();
  await transact(kv, async (op) => {
    const entry = await kv.get<RunRow>(runKey(run));
    const step = entry.value?.steps[id];
    if (!entry.value || step?.state !== "pending") return;
    const { attempts = 0 } = step;
    const waitMs = isTemporary(error) ? WAITS_MS[attempts] : undefined;
    if (waitMs === undefined) {
      const reason = error instanceof AppError ? shortened(sentenceOf(error)) : INTERNAL;
      const at = now.toISOString();
      setRun(op, entry, withStep(entry.value, id, { state: "failed", start: at, end: at, reason }));
      return;
    }
    const until = new Date(now.getTime() + waitMs).toISOString();
    setRun(op, entry, withStep(entry.value, id, { ...step, attempts: attempts + 1, until }));
  });
}

/** Maximum length of a text in the reason of a failed step. The row of a run has 100 reasons. */
const REASON_TEXT_MAX = 50;

/** Returns the sentence with short texts, so that the row of the run stays within its limit. */
function shortened({ key, params = {} }: Sentence): Sentence {
  const short = Object.entries(params).map(([name, value]) => {
    if (typeof value === "string") return [name, value.slice(0, REASON_TEXT_MAX)];
    return [name, typeof value === "object" && !Array.isArray(value) ? shortened(value) : value];
  });
  return { key, params: Object.fromEntries(short) };
}

/** Stops the tasks and nested runs of a stopped run. Returns whether there were any left. */
async function passOnStop(deps: Deps, run: RunRow): Promise<boolean> {
  const { kv } = deps;
  const { stop, stopped_by, end_reason, project_id: projectId } = run;
  const left = Object.entries(run.steps).filter(([, step]) =>
    !isEnded(step.state) && step.stop !== stop
  );
  if (stop === "" || left.length === 0) return false;
  const scope = await openProject(
    { deps, actor: runActor(run, stopped_by) },
    projectId,
    "run_tasks",
  );
  for (const [, { task_id, run_id }] of left) {
    if (task_id !== undefined) {
      await stopTask(scope, task_id, stop === "force", end_reason ?? undefined);
    }
    if (run_id === undefined) continue;
    const asked = { stop, stopped_by, end_reason };
    await transact(kv, (op) => addStop(deps, op, { projectId, id: run_id }, asked));
  }
  await transact(kv, async (op) => {
    const entry = await kv.get<RunRow>(runKey(run));
    if (!entry.value) return;
    const steps = { ...entry.value.steps };
    for (const [id] of left) steps[id] = { ...steps[id], stop };
    setRun(op, entry, { ...entry.value, steps });
  });
  return true;
}
