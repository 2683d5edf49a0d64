import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { rowKeys } from "../store/keys.ts";
import type { Loop } from "../store/loop.ts";
import { transact } from "../store/transact.ts";
import { handleAll, startWorkLoop, type WorkList } from "../store/work_list.ts";
import type { Store } from "../store/store.ts";
import { findHead, listHosts } from "../results/result_store.ts";
import type { HostRow } from "../results/rows.ts";
import { HOST_STATUSES, hostStatus, isFailure } from "../results/statuses.ts";
import { hasAddress } from "./rows.ts";
import { HOSTS_PER_COMMIT, rememberRuns, type StoredHostRun } from "./store.ts";
import { rememberFacts } from "./facts_store.ts";
import type { HostsDueRow } from "./outbox.ts";

/** Stores the hosts of finished tasks. */
export const startRememberingHosts = (
  deps: { kv: Store; log: Log; clock: Clock },
  { shared }: { shared: boolean },
): Loop =>
  startWorkLoop(deps, {
    ...dueHosts(deps.kv),
    name: "hosts",
    wokenBy: rowKeys.hostsWake(),
    turn: rowKeys.hostsTurn(),
    shared,
  });

const dueHosts = (kv: Store): WorkList<HostsDueRow> => ({
  prefix: rowKeys.hostsDue(),
  handle: (key, { project_id }, stop) => rememberTask(kv, project_id, key.at(-1) as number, stop),
});

/** Stores the hosts of all due tasks, and resolves to the milliseconds until the next call. */
export const rememberDue = (kv: Store): Promise<number> => handleAll(kv, dueHosts(kv));

/**
 * Stores the hosts of a task. The progress is stored in the same commits, so that each host counts
 * once even if servers die or work in parallel.
 */
async function rememberTask(kv: Store, projectId: number, taskId: number, stop?: AbortSignal) {
  const head = await findHead(kv, taskId);
  const hosts = (head ? await listHosts(kv, taskId) : []).filter(({ name }) => hasAddress(name));
  const runOf = (host: HostRow): StoredHostRun => hostRun(taskId, host, head?.complete ?? false);
  let isDone = false;
  while (!isDone && !stop?.aborted) {
    isDone = await transact(kv, async (op) => {
      const entry = await kv.get<HostsDueRow>(rowKeys.hostsDueOf(taskId));
      // Another server has finished it, or the task is being deleted.
      if (!entry.value) return true;
      op.check(entry);
      const { after } = entry.value;
      const left = hosts.filter(({ id }) => id > after);
      const batch = left.slice(0, HOSTS_PER_COMMIT);
      if (batch.length === 0) return true;
      const last = batch[batch.length - 1].id;
      op.set(entry.key, { ...entry.value, after: last });
      await rememberRuns(kv, op, { projectId, taskId, n: batch[0].id }, batch.map(runOf));
      return batch.length === left.length;
    });
  }
  await rememberFacts(kv, { projectId, taskId, hosts, stop });
  if (!stop?.aborted) await kv.delete(rowKeys.hostsDueOf(taskId));
}

function hostRun(task: number, row: HostRow, complete: boolean): StoredHostRun {
  const { id: host, name, unchecked: _unchecked, ...run } = row;
  const status = hostStatus(row);
  const good = complete && !isFailure(status);
  const severity = HOST_STATUSES.indexOf(status);
  return { name, run: { ...run, task, host, severity, good, complete } };
}
