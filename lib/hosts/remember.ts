import { doDue } from "../jobs/engine.ts";
import { type Job, type JobDeps, worker } from "../jobs/worker.ts";
import { transact } from "../store/transact.ts";
import type { Store } from "../store/store.ts";
import { findHead, listHosts } from "../results/result_store.ts";
import type { HostRow } from "../results/rows.ts";
import { HOST_STATUSES, hostStatus, isFailure } from "../results/statuses.ts";
import { hasAddress } from "./rows.ts";
import { HOSTS_PER_COMMIT, rememberRuns, type StoredHostRun } from "./store.ts";
import { rememberFacts } from "./facts_store.ts";
import { type HostsDue, hostsJobs } from "./outbox.ts";

/** Stores the hosts of finished tasks. */
export const hostsWorker = worker<HostsDue, JobDeps>({
  kind: hostsJobs,
  attempts: 10,
  waitsMs: [1_000, 10_000, 60_000, 600_000],
  // The results of a task on thousands of hosts take some time.
  limitMs: 30 * 60_000,
  parallel: 2,
  // Commits of one project refuse each other.
  inOrder: true,
  run: ({ kv }, job) => rememberTask(kv, job),
});

/** Stores the hosts of all tasks that are due. */
export const rememberDue = (deps: JobDeps): Promise<void> => doDue(deps, hostsWorker);

/**
 * Stores the hosts of a task. The progress is stored in the same commits, so that each host counts
 * once even if servers die or work in parallel.
 */
async function rememberTask(kv: Store, job: Job<HostsDue>): Promise<void> {
  const { project_id: projectId, task_id: taskId } = job.input;
  const head = await findHead(kv, taskId);
  const hosts = (head ? await listHosts(kv, taskId) : []).filter(({ name }) => hasAddress(name));
  const left = hosts.filter(({ id }) => id > job.input.after);
  for (let n = 0; n < left.length;) {
    job.signal.throwIfAborted();
    const batch = left.slice(n, n + HOSTS_PER_COMMIT);
    const runs = batch.map((host) => hostRun(taskId, host, head?.complete ?? false));
    n += await transact(kv, async (op) => {
      const added = await rememberRuns(kv, op, { projectId, taskId, n: batch[0].id }, runs);
      await job.keep(op, { ...job.input, after: batch[added - 1].id });
      return added;
    });
  }
  await rememberFacts(kv, { projectId, taskId, hosts, job });
}

function hostRun(task: number, row: HostRow, complete: boolean): StoredHostRun {
  const { id: host, name, unchecked: _unchecked, ...run } = row;
  const status = hostStatus(row);
  const good = complete && !isFailure(status);
  const severity = HOST_STATUSES.indexOf(status);
  return { name, run: { ...run, task, host, severity, good, complete } };
}
