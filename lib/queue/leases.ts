import type { Deps } from "../access/deps.ts";
import { LEASE_MS, type OpenTask, renewLease } from "../tasks/open_tasks.ts";

/** How much one look at the leases of other servers counts at most. */
const LOOK_COUNTS_MS_MAX = 10_000;

/** A lease that begins now. */
export const newLease = ({ clock }: Pick<Deps, "clock">, owner: string) => ({
  owner,
  until: clock.now().getTime() + LEASE_MS,
});

/** Renews the lease of a task until what this gives is called; tells once it is another's. */
export function keepLease(
  deps: Pick<Deps, "kv" | "clock">,
  owner: string,
  taskId: number,
  onLost: () => void,
): () => void {
  const heartbeat = setInterval(async () => {
    const kept = await renewLease(deps.kv, taskId, newLease(deps, owner)).catch(() => true);
    if (!kept) onLost();
  }, LEASE_MS / 3);
  return () => clearInterval(heartbeat);
}

/** Another server's lease, and for how long it was seen unchanged. */
interface SeenLease {
  until: string;
  at: number;
  unchangedMs: number;
}

/**
 * Looks after the leases of other servers: gives, of all tasks that others run, those whose lease
 * ran out. Not what a lease says counts, but that it was not renewed for so long while the store
 * answered: clocks differ and are set, and when the store itself was away nobody could renew.
 */
export function leaseWatch({ clock }: Pick<Deps, "clock">): (tasks: OpenTask[]) => OpenTask[] {
  let leases = new Map<number, SeenLease>();

  function lookAt({ id, lease }: OpenTask): SeenLease | null {
    if (lease === null) return null;
    const at = clock.ticks();
    const until = `${lease.owner} ${lease.until}`;
    const before = leases.get(id);
    if (before?.until !== until) return { until, at, unchangedMs: 0 };
    const passedMs = Math.min(at - before.at, LOOK_COUNTS_MS_MAX);
    return { until, at, unchangedMs: before.unchangedMs + passedMs };
  }

  return (tasks) => {
    const alive = new Map<number, SeenLease>();
    for (const task of tasks) {
      const seen = lookAt(task);
      if (seen && seen.unchangedMs < LEASE_MS) alive.set(task.id, seen);
    }
    leases = alive;
    return tasks.filter(({ id }) => !alive.has(id));
  };
}
