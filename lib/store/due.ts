import { type Clock, watchClock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { type Loop, type LoopHold, startLoop } from "./loop.ts";
import type { Atomic, Store } from "./store.ts";

interface DueDeps {
  kv: Store;
  clock: Clock;
  log: Log;
}

/**
 * Rows in order of their due time. The keys below `prefix` continue with an RFC 3339 time in UTC.
 */
export interface DueList<Row> {
  prefix: Deno.KvKey;
  /** Number of rows that are handled in parallel. */
  parallelMax: number;
  /** Time after which rows that are handled together count as standing still. */
  stepMsMax?: number;
  /** Must delete the row or move it to a later time. */
  handle(entry: Deno.KvEntry<Row>): Promise<void>;
  /** Adds the row to `op`, due at the given time. */
  put(op: Atomic, at: Date, row: Row): void;
  /** Longest time in milliseconds for which such a row is postponed. */
  longestWait(row: Row): number;
}

/** Clocks of several servers differ slightly. */
const TOLERANCE_MS = 60_000;

/**
 * Handles rows as they become due, on this server or another one that shares the store. `wakeKey`
 * is the row that changes with each new row. While `hold` lasts, rows wait.
 */
export function startDueLoop<Row>(
  deps: DueDeps,
  name: string,
  wakeKey: Deno.KvKey,
  list: DueList<Row>,
  hold?: LoopHold,
): Loop {
  const clock = watchClock(deps.clock);
  return startLoop(deps, {
    name,
    wokenBy: wakeKey,
    stepMsMax: list.stepMsMax,
    hold,
    async step(stop, goesOn) {
      if (clock.isSetBack()) await pullForward(deps, list);
      return await handleDue({ kv: deps.kv, clock }, list, stop, { hold, goesOn }) ?? Infinity;
    },
  });
}

/**
 * Runs after the clock was set back. Makes rows due now that are further ahead than any delay
 * allows.
 */
async function pullForward<Row>(
  { kv, clock }: Omit<DueDeps, "log">,
  { prefix, put, longestWait }: DueList<Row>,
): Promise<void> {
  const now = clock.now();
  for await (const entry of kv.list<Row>({ prefix }, { batchSize: 100 })) {
    const { key, value } = entry;
    const aheadMs = Date.parse(key[prefix.length] as string) - now.getTime();
    if (aheadMs <= longestWait(value) + TOLERANCE_MS) continue;
    const op = kv.atomic().check(entry).delete(key);
    put(op, now, value);
    await op.commit();
  }
}

/** Handles all due rows. Resolves to the milliseconds until the next one, if there is one. */
export async function handleDue<Row>(
  { kv, clock }: Omit<DueDeps, "log">,
  { prefix, parallelMax, handle }: Pick<DueList<Row>, "prefix" | "parallelMax" | "handle">,
  stop?: AbortSignal,
  { hold, goesOn }: { hold?: LoopHold; goesOn?: () => void } = {},
): Promise<number | null> {
  for (;;) {
    goesOn?.();
    if (stop?.aborted || await hold?.waitMs()) return null;
    const end = [...prefix, new Date(clock.now().getTime() + 1).toISOString()];
    const due = await Array.fromAsync(kv.list<Row>({ prefix, end }, { limit: parallelMax }));
    if (due.length === 0) break;
    await Promise.all(due.map(handle));
  }
  const [next] = await Array.fromAsync(kv.list({ prefix }, { limit: 1 }));
  return next ? Date.parse(next.key[prefix.length] as string) - clock.now().getTime() : null;
}
