import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { type Loop, startLoop } from "./loop.ts";
import { takeWorkTurn } from "./work_turn.ts";
import type { Store } from "./store.ts";

/**
 * Rows of work that takes many commits. Each row has the progress, which is stored in the same
 * commits, so that the work is done once even if servers die or work in parallel.
 */
export interface WorkList<Row> {
  prefix: Deno.KvKey;
  /** Must delete the row when its work is done. After `stop`, the next call continues. */
  handle(key: Deno.KvKey, row: Row, stop?: AbortSignal): Promise<void>;
}

interface WorkOptions<Row> extends WorkList<Row> {
  /** Name of the loop in the log. */
  name: string;
  wokenBy: Deno.KvKey;
  /** Row of the server that does the work, if several share the store. */
  turn: Deno.KvKey;
  shared: boolean;
}

/** Number of rows that are read together. */
const LOOKED_AT = 20;
const TASK_MS_MAX = 30 * 60_000;

/** Does the work as it comes. If servers share the store, one of them does it. */
export function startWorkLoop<Row>(
  deps: { kv: Store; log: Log; clock: Clock },
  { name, wokenBy, turn, shared, ...list }: WorkOptions<Row>,
): Loop {
  const server = crypto.randomUUID();
  const waitForTurn = shared ? () => takeWorkTurn(deps, turn, server) : undefined;
  return startLoop(deps, {
    name,
    wokenBy,
    // The results of a task on thousands of hosts take some time.
    stepMsMax: TASK_MS_MAX,
    step: (stop, goesOn) => handleAll(deps.kv, list, stop, waitForTurn, goesOn),
  });
}

/**
 * Does the work of all rows. `waitForTurn` returns the milliseconds until it may be this server's
 * turn. Resolves to those until the next call.
 */
export async function handleAll<Row>(
  kv: Store,
  { prefix, handle }: WorkList<Row>,
  stop?: AbortSignal,
  waitForTurn: () => Promise<number> = () => Promise.resolve(0),
  goesOn = () => {},
): Promise<number> {
  for (;;) {
    const entries = await Array.fromAsync(kv.list<Row>({ prefix }, { limit: LOOKED_AT }));
    if (entries.length === 0) return Infinity;
    for (const { key, value } of entries) {
      goesOn();
      const waitMs = await waitForTurn();
      if (waitMs > 0) return waitMs;
      await handle(key, value, stop);
      if (stop?.aborted) return 0;
    }
  }
}
