import type { Deps } from "../../access/deps.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isFullNow } from "../../store/file/patience.ts";
import type { Atomic } from "../../store/store.ts";
import { LEASE_MS, type OpenTask, renewLease } from "../../tasks/open_tasks.ts";

/** Maximum time that one look at the leases of other servers adds. */
const LOOK_COUNTS_MS_MAX = 10_000;

/** Returns a lease that begins now. */
export const newLease = ({ clock }: Pick<Deps, "clock">, owner: string) => ({
  owner,
  until: clock.now().getTime() + LEASE_MS,
});

/**
 * Renews the lease of a task until the returned function is called. Calls `onLost` once another
 * server has the lease.
 */
export function keepLease(
  deps: Pick<Deps, "kv" | "clock">,
  owner: string,
  taskId: number,
  onLost: () => void,
): () => void {
  const renew = async () => {
    if (!await renewLease(deps.kv, taskId, newLease(deps, owner))) onLost();
  };
  // A store that is away takes the lease from no one.
  const heartbeat = setInterval(() => renew().catch(() => {}), LEASE_MS / 3);
  return () => clearInterval(heartbeat);
}

/** Lease of whoever claims a task, and what is stored with the claim. */
export interface ClaimTerms {
  lease: NonNullable<OpenTask["lease"]>;
  change: Pick<TaskRow, "ansible_version" | "runner_id" | "runner_name">;
  /** Adds further rows. */
  also?(op: Atomic, task: TaskRow): void;
}

/** Another server's lease, and the time for which it was seen unchanged. */
interface SeenLease {
  until: string;
  at: number;
  unchangedMs: number;
}

/**
 * Watches the leases of others. The returned function selects the tasks whose lease expired.
 * A lease expires when it was not renewed for long enough while the store answered. Its own time
 * does not count, because clocks differ and may be set, and no one can renew while the store is
 * unavailable or its disk is full.
 */
export function leaseWatch(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  lengthMs = LEASE_MS,
): (tasks: OpenTask[]) => OpenTask[] {
  let leases = new Map<number, SeenLease>();

  function lookAt({ id, lease }: OpenTask): SeenLease | null {
    if (lease === null) return null;
    const at = clock.ticks();
    const until = `${lease.owner} ${lease.until}`;
    const before = leases.get(id);
    if (before?.until !== until) return { until, at, unchangedMs: 0 };
    const passedMs = isFullNow(kv) ? 0 : Math.min(at - before.at, LOOK_COUNTS_MS_MAX);
    return { until, at, unchangedMs: before.unchangedMs + passedMs };
  }

  return (tasks) => {
    const alive = new Map<number, SeenLease>();
    for (const task of tasks) {
      const seen = lookAt(task);
      if (seen && seen.unchangedMs < lengthMs) alive.set(task.id, seen);
    }
    leases = alive;
    return tasks.filter(({ id }) => !alive.has(id));
  };
}
