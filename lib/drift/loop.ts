import { queueDriftAlert } from "../alerts/outbox.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { deletePrefix } from "../store/delete_prefix.ts";
import { rowKeys } from "../store/keys.ts";
import type { Loop } from "../store/loop.ts";
import { transact } from "../store/transact.ts";
import { handleAll, startWorkLoop, type WorkList } from "../store/work_list.ts";
import type { Atomic, Store } from "../store/store.ts";
import { runModes } from "../results/changes.ts";
import { causeOf } from "../tasks/cause.ts";
import { findTask } from "../model/tasks.ts";
import type { TaskRow } from "../model/task_row.ts";
import { mayAutoFix } from "./auto_fix.ts";
import { type HostPart, readHostParts } from "./host_parts.ts";
import { markGone } from "./gone.ts";
import { nextRow, type Turn } from "./next_row.ts";
import { putFixDue } from "./outbox.ts";
import { type DriftDueRow, type DriftSummary, STRIP_MAX, withHost } from "./rows.ts";
import { type DriftCommit, findDriftSummary, openDrift, readDriftRows } from "./store.ts";

interface LoopDeps {
  kv: Store;
  log: Log;
  clock: Clock;
}

/** Stores the states of the hosts of finished tasks. */
export const startDrift = (deps: LoopDeps, { shared }: { shared: boolean }): Loop =>
  startWorkLoop(deps, {
    ...dueDrift(deps),
    name: "drift",
    wokenBy: rowKeys.driftWake(),
    turn: rowKeys.driftTurn(),
    shared,
  });

const dueDrift = (deps: Pick<LoopDeps, "kv" | "clock">): WorkList<DriftDueRow> => ({
  prefix: rowKeys.driftDue(),
  handle: (key, row, stop) => storeTask(deps, key, row, stop),
});

/** Stores the states of all due tasks, and resolves to the milliseconds until the next call. */
export const storeDueDrift = (deps: Pick<LoopDeps, "kv" | "clock">): Promise<number> =>
  handleAll(deps.kv, dueDrift(deps));

/** Number of hosts per commit, with at most seven rows each. A commit takes 1,000 rows. */
const HOSTS_PER_COMMIT = 50;

/**
 * Stores the states of a task's hosts. The progress is stored in the same commits, so that each
 * observation counts once even if servers die or work in parallel.
 */
async function storeTask(
  { kv, clock }: Pick<LoopDeps, "kv" | "clock">,
  key: Deno.KvKey,
  { project_id: projectId, template_id: templateId }: DriftDueRow,
  stop?: AbortSignal,
): Promise<void> {
  const task = await findTask(kv, projectId, key.at(-1) as number);
  const summary = await findDriftSummary(kv, projectId, templateId);
  // Runs matter only for templates that are checked.
  if (!task || !task.check && (!summary || !isLikeCheck(task, await checkOf(kv, task, summary)))) {
    return void await kv.delete(key);
  }
  const parts = await readHostParts(kv, task);
  for (let isDone = false; !isDone && !stop?.aborted;) {
    isDone = await transact(kv, async (op) => {
      const entry = await kv.get<DriftDueRow>(key);
      // Another server has finished it, or the task is being deleted.
      if (!entry.value) return true;
      op.check(entry);
      const drift = await openDrift(kv, op, projectId, templateId);
      if (!drift) {
        op.delete(key);
        return true;
      }
      const due = entry.value;
      const batch = parts.hosts.filter(({ id }) => id > due.after).slice(0, HOSTS_PER_COMMIT);
      if (batch.length > 0) {
        const next = await addHosts(kv, drift, task, batch, due);
        op.set(key, { ...next, after: batch.at(-1)!.id });
        await drift.store();
        return false;
      }
      const gone = isOfAll(task) && parts.isWhole
        ? await markGone(kv, drift, task, due.gone_after ?? "", clock.now().getTime())
        : null;
      if (gone !== null) op.set(key, { ...due, gone_after: gone });
      else {
        finish(drift, task, parts.isWhole);
        tellTurns(op, { clock }, task, due, drift);
        queueFix(op, { clock }, task, drift);
        op.delete(key);
      }
      await drift.store();
      return gone === null;
    });
  }
  // The facts that a check gathers are not kept.
  if (task.check && !stop?.aborted) {
    await deletePrefix(kv, rowKeys.taskResultRow(task.id, "facts"));
  }
}

const checkOf = (kv: Store, { project_id }: TaskRow, { task_id }: DriftSummary) =>
  findTask(kv, project_id, task_id);

/**
 * Whether a task is a check of all hosts. One that repeats a check on failed hosts observes only
 * these.
 */
function isOfAll(task: TaskRow): boolean {
  const cause = causeOf(task);
  return cause.kind === "check" && !cause.of;
}

/** Whether a run has done what a check of the template would do now. */
function isLikeCheck(task: TaskRow, check: TaskRow | null): boolean {
  if (!check || runModes(task).check) return false;
  const isChosen = task.commit_asked || task.build_task_id !== null;
  return task.environment === check.environment && task.playbook === check.playbook &&
    (!isChosen || task.commit_hash === check.commit_hash);
}

/** Adds the states of some hosts. Returns the due row with the hosts that changed. */
async function addHosts(
  kv: Store,
  drift: DriftCommit,
  task: TaskRow,
  batch: HostPart[],
  due: DriftDueRow,
): Promise<DriftDueRow> {
  const { id, project_id, template_id, commit_hash } = task;
  const names = batch.map(({ name }) => name);
  const before = await readDriftRows(kv, project_id, template_id, names);
  let next = due;
  for (const [n, part] of batch.entries()) {
    const row = before[n];
    // A run changes the state of known hosts only.
    if (!task.check && (!row || !part.isApplied)) continue;
    const { row: after, turn } = nextRow(row, {
      ...task.check ? part.checked : { state: "as_described", changes: 0, partial: false },
      host: part.name,
      template_id,
      task_id: id,
      check: isOfAll(task) ? { id, host_id: part.id } : null,
      at: part.ended,
      commit: commit_hash,
      change_ids: part.change_ids,
    });
    drift.put(row, after);
    next = withTurn(next, part.name, turn);
  }
  return next;
}

const withTurn = (due: DriftDueRow, host: string, turn: Turn): DriftDueRow => ({
  ...due,
  ...turn === "drifted" && { drifted: withHost(due.drifted, host) },
  ...turn === "back" && { back: withHost(due.back, host) },
});

/** Adds the alerts about hosts that have stopped or begun to match. There is one of each. */
function tellTurns(
  op: Atomic,
  deps: Pick<LoopDeps, "clock">,
  { id: task_id, project_id, template_id }: TaskRow,
  { drifted, back }: DriftDueRow,
  { summary }: DriftCommit,
): void {
  const about = { project_id, template_id, task_id, left: summary.counts.would_change };
  if (drifted) queueDriftAlert(op, deps, { event: "drifted", ...about, ...drifted });
  if (back) queueDriftAlert(op, deps, { event: "back_to_normal", ...about, ...back });
}

/** Adds a check that found differences, if its template allows to fix some automatically. */
function queueFix(
  op: Atomic,
  { clock }: Pick<LoopDeps, "clock">,
  task: TaskRow,
  { summary, template }: DriftCommit,
): void {
  const { id: task_id, project_id, template_id } = task;
  if (!isOfAll(task) || summary.task_id !== task_id || summary.counts.would_change === 0) return;
  if (mayAutoFix(template)) putFixDue(op, clock.now(), { project_id, template_id, task_id });
}

/** Adds the end of a task to the summary of its template. */
function finish({ summary }: DriftCommit, task: TaskRow, complete: boolean): void {
  const at = Date.parse(task.end ?? task.created);
  if (!isOfAll(task) || task.id < summary.task_id) return;
  summary.task_id = task.id;
  summary.checked = at;
  summary.commit = task.commit_hash;
  if (complete) summary.complete_id = task.id;
  const counts = { ...summary.counts };
  summary.strip = [...summary.strip, { task_id: task.id, at, counts, complete }].slice(-STRIP_MAX);
}
