/*
 * The life of a run of a workflow. People, the API, schedules, integrations and builds start one.
 * It is stored with its job and, if it is the first run of its version, with the definition: see
 * docs/decisions/0099. Any server does the job, one commit at a time: `observe.ts` reads how
 * tasks, nested runs, votes and times have gone on, and the engine decides which steps start and
 * which are skipped. The commit that stores the task of a step stores in the run's row that the
 * step runs. Then the job has ended, or waits for the next time at which a step continues. Ends of
 * tasks and of nested runs, votes and stops make it due, in their own commits. When all steps have
 * ended, the engine decides whether the run has succeeded.
 */

import type { Deps } from "../../access/deps.ts";
import { type Job, worker } from "../../jobs/worker.ts";
import { type RunDue, runJobs } from "../../queue/outboxes/workflow_outbox.ts";
import { LATER } from "../../queue/outboxes/temporary.ts";
import type { RunRow } from "../run_schema.ts";
import { advanceRun } from "./advance.ts";
import { failRun } from "./end.ts";
import { runKey } from "./new_run.ts";
import { timesOf } from "./observe.ts";

/** Lets runs of workflows go on. One that cannot fails, after about eight minutes. */
export const runWorker = worker<RunDue, Deps>({
  ...LATER,
  kind: runJobs,
  attempts: 10,
  run: goOn,
  async gaveUp(deps, { input }) {
    await failRun(deps, input);
    return true;
  },
});

/**
 * Lets a run go on as far as it can. The job ends last, or waits for the next time at which a step
 * continues automatically, so that another server continues if this one dies.
 */
async function goOn(deps: Deps, job: Job<RunDue>): Promise<void> {
  const { kv, clock } = deps;
  const { project_id, run_id: id } = job.input;
  for (;;) {
    job.signal.throwIfAborted();
    const now = clock.now().getTime();
    const run = await kv.get<RunRow>(runKey({ project_id, id }));
    if (run.value && run.value.end === null && await advanceRun(deps, run)) continue;
    const op = kv.atomic().check(run);
    // A step whose time is over, and that still may not start, waits for another step.
    const times = timesOf(run.value?.steps ?? {}).filter((time) => time > now);
    if (times.length > 0) await job.again(op, new Date(Math.min(...times)));
    else await job.end(op);
    if ((await op.commit()).ok) return;
  }
}
