import { reveal, secretJson } from "../../../base/secret.ts";
import type { RunnerRow } from "../../../runners/rows.ts";
import { findTask } from "../../../model/tasks.ts";
import { type OpenTask, readOpenTasks } from "../../../tasks/open_tasks.ts";
import { keepRunnerLease } from "../lease.ts";
import type { RunnerDeps } from "../remote.ts";
import { findRemoteRun } from "../rows.ts";
import { authenticateVisitor, type Caller, noteCall, ownTasks, type Visitor } from "./door.ts";
import type { SemaphoreJob } from "./job.ts";
import { offerJob } from "./offer.ts";
import { isOverTime } from "./time_limit.ts";

/** Time for the queue to answer a poll while a task waits for a runner. They poll every second. */
const CLAIM_MS = 1_000;

/**
 * Answers a poll of a runner of Semaphore with the jobs to begin, and the statuses of its others.
 * Each job is answered again until the runner reports it. The answer has unencrypted secrets.
 */
export async function pollForJobs(deps: RunnerDeps, caller: Caller): Promise<Response> {
  const runner = await authenticateVisitor(deps, caller);
  const visitor = await noteCall(deps, runner, caller);
  const own = await claimNext(deps, visitor);
  const jobs: SemaphoreJob[] = [];
  const current: { id: number; status: string }[] = [];
  for (const open of own) {
    const isUnbegun = open.status === "starting" || await isUnoffered(deps, open);
    const job = isUnbegun ? await offerJob(deps, open) : null;
    if (job) {
      jobs.push(job);
      await keepRunnerLease(deps, open);
    } else if (!isUnbegun) {
      current.push({ id: open.id, status: await statusFor(deps, open) });
    }
  }
  // Their runners kill jobs that are "stopping", and only forget those with a final status.
  for (const id of deps.remote.strayJobs.get(runner.id) ?? []) {
    current.push({ id, status: "stopping" });
  }
  const body = secretJson({
    CurrentJobs: current,
    new_jobs: jobs.map(({ job }) => job),
    access_keys: Object.assign({}, ...jobs.map(({ keys }) => keys)),
  });
  return new Response(reveal(body, "seal"), {
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "private, no-store, no-transform",
    },
  });
}

/** Offers a free slot to the queue, if a task waits for one. Returns the runner's tasks. */
async function claimNext(deps: RunnerDeps, { runner, session, own }: Visitor): Promise<OpenTask[]> {
  const { polls } = deps.remote;
  if (runner.state !== "active" || !polls.isAwaited || own.length >= slotsOf(runner)) return own;
  const poll = polls.hold(runner, {
    session,
    number: 0,
    facts: runner.facts!,
    free: 1,
    leaving: false,
    // Neither their statuses nor their ends are news for this poll.
    runs: own.map(({ id }) => ({ task_id: id, run: "", stop: "force" })),
    wait_ms: CLAIM_MS,
  });
  try {
    deps.wakeDispatcher();
    const until = performance.now() + CLAIM_MS;
    // It also rings for what concerns only other runners.
    while (!poll.isTaken && !poll.isOver) {
      if (!await poll.bell.wait(Math.max(0, until - performance.now()))) break;
    }
  } finally {
    polls.release(poll);
  }
  return ownTasks(await readOpenTasks(deps.kv), runner, session);
}

const slotsOf = ({ max_parallel_tasks: limit, facts }: RunnerRow): number =>
  Math.min(limit || Infinity, facts?.slots ?? Infinity);

const isUnoffered = async ({ kv }: RunnerDeps, { id }: OpenTask): Promise<boolean> =>
  (await findRemoteRun(kv, id))?.value.lines_before === null;

async function statusFor(deps: RunnerDeps, { id, project_id, status }: OpenTask): Promise<string> {
  if (deps.config.taskTimeLimitMs === 0) return status;
  const task = await findTask(deps.kv, project_id, id);
  return task && isOverTime(deps, task) ? "stopping" : status;
}
