import type { Clock } from "../base/time/clock.ts";
import type { Store } from "./store.ts";

/** Stored row of the server that does some work for all. */
interface TurnRow {
  owner: string;
  /** Time in milliseconds until which other servers leave the work to it. */
  until: number;
}

/** Longest time for which the work waits when its server has died. */
const TURN_MS = 10_000;

/**
 * Lets one server at a time do the work of the row `key`, because servers that do the same work
 * refuse each other's commits. Returns 0 if it is the turn of `owner`, or the milliseconds until
 * that may be so.
 */
export async function takeWorkTurn(
  { kv, clock }: { kv: Store; clock: Pick<Clock, "now"> },
  key: Deno.KvKey,
  owner: string,
  turnMs = TURN_MS,
): Promise<number> {
  const entry = await kv.get<TurnRow>(key);
  const now = clock.now().getTime();
  // A clock that was set back must not make a turn longer.
  const leftMs = Math.min((entry.value?.until ?? 0) - now, turnMs);
  const isOwn = entry.value?.owner === owner;
  if (isOwn && leftMs > turnMs / 2) return 0;
  if (!isOwn && leftMs > 0) return leftMs;
  const row: TurnRow = { owner, until: now + turnMs };
  const taken = await kv.atomic().check(entry).set(entry.key, row).commit();
  return taken.ok ? 0 : turnMs;
}
