import { outcomeOf } from "../../approvals/rule.ts";
import type { Outcome } from "../../model/approval_rule.ts";
import type { Deps } from "../../access/deps.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { saysChanged } from "../../queue/inputs/inputs.ts";
import { findHead } from "../../results/result_store.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isRepeated, TASK_ATTEMPTS_MAX } from "../../tasks/attempts.ts";
import { isFinished } from "../../model/status.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import type { ApprovalStep, Definition, Step, WaitStep } from "../schema.ts";
import { isEnded } from "../step_state.ts";
import { findTask } from "../../model/tasks.ts";

const MINUTE_MS = 60_000;

/** Returns the steps of a run, as their tasks, nested runs, votes and times say now. */
export async function observe(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  run: RunRow,
  { steps }: Definition,
): Promise<RunRow["steps"]> {
  const now = clock.now();
  const next = { ...run.steps };
  const open = steps.filter(({ id }) => {
    const { state } = next[id];
    return state === "running" || state === "waiting";
  });
  const rows = await getAll<TaskRow | RunRow>(kv, open.map(({ id }) => rowOf(run, next[id])));
  for (const [n, step] of open.entries()) {
    const [known, row] = await latestAttempt(kv, run, next[step.id], rows[n].value);
    next[step.id] = await observed(kv, step, known, row, now);
    if (isCancelled(run, row)) next[step.id] = { ...next[step.id], state: "stopped" };
  }
  return next;
}

/** Returns the key of the row that a running step follows. */
const rowOf = ({ project_id }: RunRow, { task_id, run_id }: RunStep): Deno.KvKey =>
  run_id === undefined
    ? rowKeys.task(project_id, task_id ?? 0)
    : rowKeys.workflowRun(project_id, run_id);

/** Returns a step with its last automatic attempt. Its task may have been repeated meanwhile. */
async function latestAttempt(
  kv: Store,
  { project_id }: RunRow,
  step: RunStep,
  row: TaskRow | RunRow | null,
): Promise<[RunStep, TaskRow | RunRow | null]> {
  let [known, task] = [step, row];
  for (
    let n = 1;
    n < TASK_ATTEMPTS_MAX && task && "attempt" in task && task.attempt?.next_id;
    n++
  ) {
    const { stop: _, ...rest } = known; // A stop was passed on to the earlier attempt.
    const changed = known.changed || await hasChanged(kv, task);
    known = { ...rest, task_id: task.attempt.next_id, ...changed && { changed } };
    task = await findTask(kv, project_id, known.task_id!);
  }
  return [known, task];
}

/** Whether the next attempt of a task was cancelled by the stop of its run. */
const isCancelled = (run: RunRow, row: TaskRow | RunRow | null): boolean =>
  run.stop !== "" && row !== null && "attempt" in row && row.attempt?.ended !== undefined;

async function observed(
  kv: Store,
  step: Step,
  known: RunStep,
  row: TaskRow | RunRow | null,
  now: Date,
): Promise<RunStep> {
  switch (step.kind) {
    case "template":
      return await afterTask(kv, known, row as TaskRow | null, now);
    case "workflow":
      return afterRun(known, row as RunRow | null, now);
    case "wait":
      return afterWait(step, known, now);
    case "approval":
      return afterVotes(step, known, now);
  }
}

async function afterTask(
  kv: Store,
  known: RunStep,
  task: TaskRow | null,
  now: Date,
): Promise<RunStep> {
  if (!task) return gone(known, now);
  if (!isFinished(task.status) || isRepeated(task)) return known;
  // It did not begin. The step is checked again, and then its approval is asked for again.
  if (task.status === "error" && saysChanged(task.end_reason)) return { state: "pending" };
  const end = task.end ?? now.toISOString();
  // The time in the queue does not count, but earlier attempts do.
  const start = task.retry_of ? undefined : task.start;
  const ended = { ...known, ...start && { start }, end };
  switch (task.status) {
    case "success":
      return { ...ended, state: "success", changed: known.changed || await hasChanged(kv, task) };
    case "stopped":
      return { ...ended, state: "stopped" };
    default:
      return { ...ended, state: "failed" };
  }
}

/** Whether a task has changed a host. */
const hasChanged = async (kv: Store, { id }: TaskRow): Promise<boolean> =>
  ((await findHead(kv, id))?.counts.changed ?? 0) > 0;

function afterRun(known: RunStep, nested: RunRow | null, now: Date): RunStep {
  if (!nested) return gone(known, now);
  const { status, end } = nested;
  if (end === null || status === "running" || status === "approval") return known;
  return { ...known, state: status, end };
}

/** The task or the nested run was deleted before its end was noticed. */
const gone = (known: RunStep, now: Date): RunStep => ({
  ...known,
  state: "failed",
  end: now.toISOString(),
  reason: { key: "workflows.reason.gone" },
});

function afterWait({ minutes }: WaitStep, known: RunStep, now: Date): RunStep {
  const { isOver, step } = untilThen(known, minutes, now);
  return isOver ? { ...step, state: "success", end: now.toISOString() } : step;
}

function afterVotes({ approval }: ApprovalStep, known: RunStep, now: Date): RunStep {
  const { timeout_minutes, on_timeout } = approval;
  const outcome = outcomeOf(approval, known);
  if (outcome) return decided(known, outcome, now);
  if (timeout_minutes === null) return known;
  const { isOver, step } = untilThen(known, timeout_minutes, now);
  return isOver ? { ...decided(step, on_timeout, now), timed_out: true } : step;
}

const decided = (known: RunStep, outcome: Outcome, now: Date): RunStep => ({
  ...known,
  state: outcome === "approved" ? "success" : "failed",
  end: now.toISOString(),
  ...outcome === "rejected" && { reason: { key: "workflows.reason.rejected" } },
});

/**
 * Whether the time of a step is over. A time that is further ahead than the step may wait was set
 * before the clock was set back, and begins again.
 */
function untilThen(known: RunStep, minutes: number, now: Date): { isOver: boolean; step: RunStep } {
  const latest = now.getTime() + minutes * MINUTE_MS;
  const until = Math.min(Date.parse(known.until ?? now.toISOString()), latest);
  const text = new Date(until).toISOString();
  return {
    isOver: until <= now.getTime(),
    step: text === known.until ? known : { ...known, until: text },
  };
}

/** Returns when a step that begins now continues automatically; undefined for never. */
export function deadlineOf(step: WaitStep | ApprovalStep, now: Date): string | undefined {
  const minutes = step.kind === "wait" ? step.minutes : step.approval.timeout_minutes;
  return minutes === null ? undefined : new Date(now.getTime() + minutes * MINUTE_MS).toISOString();
}

/** Returns the times at which steps continue automatically. */
export const timesOf = (steps: RunRow["steps"]): number[] =>
  Object.values(steps).flatMap(({ state, until }) =>
    isEnded(state) || until === undefined ? [] : [Date.parse(until)]
  );
