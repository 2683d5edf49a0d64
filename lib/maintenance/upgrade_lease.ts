import type { Clock } from "../base/time/clock.ts";
import { sleep } from "../base/time/pause.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

/** The server that upgrades a shared store. */
interface UpgradeLease {
  owner: string;
  /** Time until which others wait, in milliseconds. It is postponed while the upgrade runs. */
  until: number;
}

/** How long others wait for a server that has died. Their clocks agree within some seconds. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
const POLL_MS = 500;

interface LeaseOptions {
  kv: Store;
  clock: Pick<Clock, "now">;
  /** Ends the wait, and is ended when another server has taken over. */
  stop: AbortController;
  /** Called once if another server upgrades the store. */
  onWait(): void;
  /** Interval of renewals. */
  renewMs?: number;
}

/**
 * Runs `work` while no other server upgrades the shared store. Migrations can be repeated, but not
 * run twice at the same time.
 */
export async function upgradeAlone(
  { kv, clock, stop, onWait, renewMs = RENEW_MS }: LeaseOptions,
  work: () => Promise<void>,
): Promise<void> {
  const key = rowKeys.storeUpgrader();
  const owner = crypto.randomUUID();
  const take = async (): Promise<boolean> => {
    const lease = await kv.get<UpgradeLease>(key);
    const now = clock.now().getTime();
    if (lease.value && lease.value.owner !== owner && lease.value.until > now) return false;
    const row: UpgradeLease = { owner, until: now + LEASE_MS };
    return (await kv.atomic().check(lease).set(key, row).commit()).ok;
  };
  for (let waits = false; !await take(); waits = true) {
    if (!waits) onWait();
    await sleep(POLL_MS, { signal: stop.signal });
    stop.signal.throwIfAborted();
  }
  const lose = (error: unknown) => stop.abort(error);
  const renew = async () => {
    if (!await take()) lose(new Error("Another server has taken over the upgrade"));
  };
  // Two renewals at the same time would overtake each other.
  let renewal: Promise<void> | null = null;
  const timer = setInterval(() => {
    renewal ??= renew().catch(lose).finally(() => renewal = null);
  }, renewMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await renewal;
    const lease = await kv.get<UpgradeLease>(key);
    if (lease.value?.owner === owner) await kv.atomic().check(lease).delete(key).commit();
  }
}
