import { readText } from "../../../base/body.ts";
import { inTurn } from "../../../store/transact.ts";
import { findOpenTask, type OpenTask } from "../../../tasks/open_tasks.ts";
import { findTask } from "../../../model/tasks.ts";
import { because, endAbandoned } from "../../ending/interrupt.ts";
import { keepRunnerLease } from "../lease.ts";
import { ownerName } from "../../leases/runner_owner.ts";
import type { RunnerDeps } from "../remote.ts";
import { findRemoteRun } from "../rows.ts";
import { authenticateVisitor, type Caller, noteCall, type Visitor } from "./door.ts";
import { resume } from "./offer.ts";
import { type JobProgress, readJobs } from "./progress_body.ts";
import { isOverTime } from "./time_limit.ts";

/**
 * Runners since 2.19 send everything that was not acknowledged in one body, and send it again if it
 * is refused.
 */
const PROGRESS_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Takes a runner's report about all jobs that it runs. Returns those that it must kill immediately.
 * The report is stored completely before it is answered.
 */
export async function takeProgress(
  deps: RunnerDeps,
  caller: Caller & Pick<Request, "body">,
): Promise<number[]> {
  const { strayJobs } = deps.remote;
  const runner = await authenticateVisitor(deps, caller);
  const jobs = await readJobs(await readText(caller, PROGRESS_BYTES_MAX));
  const visitor = await noteCall(deps, runner, caller);
  const stray: number[] = [];
  const forced: number[] = [];
  for (const job of jobs) {
    const next = await takeJob(deps, visitor, job);
    if (next === "gone") stray.push(job.id);
    if (next === "force") forced.push(job.id);
  }
  if (stray.length > 0) strayJobs.set(runner.id, stray);
  else strayJobs.delete(runner.id);
  const listed = new Set(jobs.map(({ id }) => id));
  for (const open of visitor.own) {
    if (!listed.has(open.id) && hasBegun(deps, open)) {
      await endAbandoned(deps, open, because("runner_forgot", open));
    }
  }
  return [...stray, ...forced];
}

/** Whether a runner must list a task that it has not ended. It lists none that it did not begin. */
const hasBegun = ({ remote }: RunnerDeps, { id, status }: OpenTask): boolean =>
  status === "running" ||
  status === "stopping" && remote.semaphoreRuns.get(id)?.isStarted === true;

/** Takes the progress of one job. Resolves to how the runner must end it, if it must. */
const takeJob = (
  deps: RunnerDeps,
  { runner, session }: Visitor,
  job: JobProgress,
): Promise<"gone" | "force" | null> =>
  inTurn(deps.kv, `remote run ${job.id}`, async () => {
    const { kv, remote: { server, semaphoreRuns } } = deps;
    const [entry, open] = await Promise.all([findRemoteRun(kv, job.id), findOpenTask(kv, job.id)]);
    const isOwn = entry !== null && entry.value.lines_before !== null &&
      open?.lease?.owner === ownerName({ runnerId: runner.id, session });
    if (!isOwn) return isFinal(job) ? null : "gone";
    await keepRunnerLease(deps, open);
    const task = await findTask(kv, open.project_id, job.id);
    if (!task) return "gone";
    const known = entry.value.server === server ? semaphoreRuns.get(job.id) : undefined;
    const run = known?.run === entry.value.run ? known : await resume(deps, task, entry);
    if (!run) return null; // Another server takes it just now, and gets the next report.
    try {
      if (!await run.take(job, isOverTime(deps, task))) {
        return task.stop === "force" ? "force" : null;
      }
    } catch (error) {
      semaphoreRuns.delete(job.id);
      throw error;
    }
    semaphoreRuns.delete(job.id);
    return null;
  });

const isFinal = ({ status }: JobProgress) => ["success", "error", "stopped"].includes(status);
