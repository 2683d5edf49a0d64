/*
 * The life of a check. A schedule, which may stand for a member of the template, or a person
 * starts a task with `check`, unless one of the template is open: see docs/decisions/0106. Other
 * tasks go first, and it runs as a dry run does. The commit of its end puts a job. One server does
 * it: it reads the results, decides the state of each host, compares it with the stored one, and
 * stores 50 hosts a commit with the progress. Hosts that the check did not reach are marked. A run
 * of the template that applied all of it passes the same job. If the template allows it, the last
 * commit puts another job, which starts a fix and confirms it after its preview.
 */

import { ALERT_TASKS_MAX } from "../alerts/drifted_hosts.ts";
import { queueDriftAlert } from "../alerts/outbox.ts";
import { deletePrefix } from "../store/delete_prefix.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import { doDue } from "../jobs/engine.ts";
import { type Job, type JobDeps, worker } from "../jobs/worker.ts";
import type { Atomic, Store } from "../store/store.ts";
import { FULL } from "../store/rows/write_all.ts";
import { runModes } from "../results/changes.ts";
import { causeOf } from "../tasks/cause.ts";
import { findTask } from "../model/tasks.ts";
import type { TaskRow } from "../model/task_row.ts";
import { mayAutoFix } from "./auto_fix.ts";
import { type HostPart, type HostParts, readHostParts } from "./host_parts.ts";
import { markGone } from "./gone.ts";
import { type DriftChange, nextRow } from "./next_row.ts";
import { type DriftDue, driftJobs, queueFix } from "./outbox.ts";
import { differingOf, type DriftSummary, STRIP_MAX, withHost } from "./rows.ts";
import { type DriftCommit, findDriftSummary, openDrift, readDriftRows } from "./store.ts";
import { uncheckedReasons } from "./unchecked.ts";

/** Stores the states of the hosts of finished tasks. */
export const driftWorker = worker<DriftDue, JobDeps>({
  kind: driftJobs,
  attempts: 10,
  waitsMs: [1_000, 10_000, 60_000, 600_000],
  // The results of a task on thousands of hosts take some time.
  limitMs: 30 * 60_000,
  parallel: 2,
  // A later check follows on an earlier one.
  inOrder: true,
  run: storeTask,
});

/** Stores the states of all tasks that are due. */
export const storeDueDrift = (deps: JobDeps): Promise<void> => doDue(deps, driftWorker);

/** Number of hosts that are read for a commit. It stores as many of them as it has room for. */
const HOSTS_PER_COMMIT = 50;

/**
 * Stores the states of a task's hosts. The progress is stored in the same commits, so that each
 * observation counts once even if servers die or work in parallel.
 */
async function storeTask(deps: JobDeps, job: Job<DriftDue>): Promise<void> {
  const { kv } = deps;
  const { project_id: projectId, template_id: templateId, task_id } = job.input;
  const task = await findTask(kv, projectId, task_id);
  const summary = await findDriftSummary(kv, projectId, templateId);
  // Runs matter only for templates that are checked.
  if (!task || !task.check && (!summary || !isLikeCheck(task, await checkOf(kv, task, summary)))) {
    return;
  }
  const parts = await readHostParts(kv, task);
  for (let due: DriftDue | null = job.input; due;) {
    job.signal.throwIfAborted();
    due = await storeSome(deps, job, task, parts, due);
  }
  // The facts that a check gathers are not kept.
  if (task.check) await deletePrefix(kv, rowKeys.taskResultRow(task.id, "facts"));
}

/** Stores some states. Resolves to the progress, or to null once all are stored. */
const storeSome = (
  deps: JobDeps,
  job: Job<DriftDue>,
  task: TaskRow,
  parts: HostParts,
  due: DriftDue,
): Promise<DriftDue | null> =>
  transact(deps.kv, async (op) => {
    const { kv, clock } = deps;
    const drift = await openDrift(kv, op, task.project_id, task.template_id);
    if (!drift) return null;
    const batch = parts.hosts.filter(({ id }) => id > due.after).slice(0, HOSTS_PER_COMMIT);
    const gone = batch.length === 0 && isOfAll(task) && parts.isWhole
      ? await markGone(kv, op, drift, task, due.gone_after ?? "", clock.now().getTime())
      : null;
    const next = batch.length > 0
      ? await addHosts(kv, op, drift, task, batch, due)
      : gone === null
      ? null
      : { ...due, gone_after: gone };
    if (next) await job.keep(op, next);
    else {
      finish(drift, task, parts.isWhole);
      queueChangeAlert(op, deps, task, due, { drift, parts });
      if (isToFix(task, drift)) queueFix(op, deps, task);
      await job.end(op);
    }
    await drift.store();
    return next;
  });

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

/**
 * Adds the states of some hosts, at least one and as many as the commit has room for. Returns the
 * progress with the hosts that changed.
 */
async function addHosts(
  kv: Store,
  op: Atomic,
  drift: DriftCommit,
  task: TaskRow,
  batch: HostPart[],
  due: DriftDue,
): Promise<DriftDue> {
  const { id, project_id, template_id, commit_hash } = task;
  const names = batch.map(({ name }) => name);
  const before = await readDriftRows(kv, project_id, template_id, names);
  let next = due;
  for (const [n, part] of batch.entries()) {
    if (op.used > FULL) break;
    next = { ...next, after: part.id };
    const row = before[n];
    // A run changes the state of known hosts only.
    if (!task.check && (!row || !part.isApplied)) continue;
    const { row: after, change } = nextRow(row, {
      ...task.check ? part.checked : { state: "as_described", changes: 0, partial: false },
      host: part.name,
      template_id,
      task_id: id,
      check: isOfAll(task) ? { id, host_id: part.id } : null,
      at: part.ended,
      commit: commit_hash,
      change_ids: part.change_ids,
      change_tasks: part.change_tasks,
      ...task.check
        ? { unchecked: part.unchecked, left_out: part.left_out }
        : { unchecked: null, left_out: 0 },
    });
    drift.put(row, after);
    next = withChange(next, part.name, change);
  }
  return next;
}

const withChange = (due: DriftDue, host: string, change: DriftChange): DriftDue => ({
  ...due,
  ...change === "drifted" && { drifted: withHost(due.drifted, host) },
  ...change === "back" && { back: withHost(due.back, host) },
});

/** Adds the alerts about hosts that have stopped or begun to match. There is one of each. */
function queueChangeAlert(
  op: Atomic,
  deps: Pick<JobDeps, "clock">,
  { id: task_id, project_id, template_id }: TaskRow,
  { drifted, back }: Pick<DriftDue, "drifted" | "back">,
  { drift: { summary }, parts }: { drift: DriftCommit; parts: HostParts },
): void {
  if (!drifted && !back) return;
  const about = {
    ...{ project_id, template_id, task_id, left: summary.counts.would_change },
    differing: differingOf(summary).slice(0, ALERT_TASKS_MAX),
    unchecked: uncheckedReasons(
      parts.hosts.filter(({ checked }) => checked.partial),
      ALERT_TASKS_MAX,
    ),
  };
  if (drifted) queueDriftAlert(op, deps, { event: "drifted", ...about, ...drifted });
  if (back) queueDriftAlert(op, deps, { event: "back_to_normal", ...about, ...back });
}

/** Whether a check has found differences of which its template allows to fix some automatically. */
const isToFix = (task: TaskRow, { summary, template }: DriftCommit): boolean =>
  isOfAll(task) && summary.task_id === task.id && summary.counts.would_change > 0 &&
  mayAutoFix(template);

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
