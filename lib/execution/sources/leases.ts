import { inLimit } from "../../base/time/abort.ts";
import { sleep } from "../../base/time/pause.ts";
import type { SourceMachine } from "./kind.ts";
import { sourceKinds } from "./kinds.ts";
import type { Lease, LeaseStore } from "./lease_store.ts";

const REVOKE_LIMIT_MS = 10_000;
const PAUSE_MS = 10_000;
const PAUSE_MS_MAX = 10 * 60_000;

/** Ends a lease. Throws if the storage does not do it in time. */
export async function revokeLease(
  machine: SourceMachine,
  { storage, ...lease }: Lease,
): Promise<void> {
  const kind = sourceKinds[storage.kind];
  if (!kind?.revoke) return;
  const access = {
    storage,
    machine,
    projectId: lease.projectId,
    stop: new AbortController().signal,
  };
  const late = () => new Error("no answer in time");
  await inLimit(kind.revoke(access, lease.lease), REVOKE_LIMIT_MS, late);
}

/**
 * Ends the leases of runs that a killed process has left behind, and those that their storage could
 * not end. Tries again until none is left. Called at the start, and after such a run.
 */
export async function revokeLeftOver(
  machine: SourceMachine,
  failed: (error: unknown) => void,
): Promise<void> {
  const { leases } = machine;
  if (!leases || revoking.has(leases)) return;
  revoking.add(leases);
  try {
    await revokeAll(machine, leases, failed);
  } finally {
    revoking.delete(leases);
  }
}

/** Stores whose leases are being ended. */
const revoking = new WeakSet<LeaseStore>();

async function revokeAll(
  machine: SourceMachine,
  leases: LeaseStore,
  failed: (error: unknown) => void,
): Promise<void> {
  for (let pauseMs = PAUSE_MS;; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    const left = await leases.leftOver();
    if (left.size === 0) return;
    /** Storages that did not answer. Waiting for each of their leases would hold up all others. */
    const away = new Set<string>();
    for (const [name, lease] of left) {
      const storage = lease ? `${lease.projectId} ${lease.storage.id}` : "";
      if (away.has(storage)) continue;
      await (lease ? revokeLease(machine, lease) : Promise.resolve()).then(
        () => leases.remove(name),
        (error) => {
          away.add(storage);
          failed(error);
        },
      );
    }
    if ((await leases.leftOver()).size === 0) return;
    await sleep(pauseMs, { ref: false });
  }
}
