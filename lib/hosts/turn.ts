import type { Clock } from "../base/clock.ts";
import { rowKeys } from "../kv/keys.ts";

/** Stored row of the server that records hosts. */
interface TurnRow {
  owner: string;
  /** Time in milliseconds until which other servers leave the work to it. */
  until: number;
}

/** Longest time for which the work waits when its server has died. */
const TURN_MS = 10_000;

/**
 * Lets one server at a time record hosts, because servers that do the same work refuse each other's
 * commits. Returns 0 if it is the turn of `owner`, or the milliseconds until that may be so.
 */
export async function takeHostsTurn(
  { kv, clock }: { kv: Deno.Kv; clock: Pick<Clock, "now"> },
  owner: string,
): Promise<number> {
  const entry = await kv.get<TurnRow>(rowKeys.hostsTurn());
  const now = clock.now().getTime();
  // A clock that was set back must not make a turn longer.
  const leftMs = Math.min((entry.value?.until ?? 0) - now, TURN_MS);
  const isOwn = entry.value?.owner === owner;
  if (isOwn && leftMs > TURN_MS / 2) return 0;
  if (!isOwn && leftMs > 0) return leftMs;
  const row: TurnRow = { owner, until: now + TURN_MS };
  const taken = await kv.atomic().check(entry).set(entry.key, row).commit();
  return taken.ok ? 0 : TURN_MS;
}
