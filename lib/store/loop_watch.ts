import { memoryPart } from "./memory.ts";
import type { Store } from "./store.ts";

/** A turn of a background loop that has begun and not ended. */
interface LoopTurn {
  name: string;
  limitMs: number;
  /** When it began, or last said that it goes on, on the clock of `performance`. */
  movedAt: number;
}

const turnsUnderWay = memoryPart("turns of loops", () => new Set<LoopTurn>());

/** Longest turn of a loop without a limit of its own. Most turns take milliseconds. */
const LIMIT_MS = 5 * 60_000;

/**
 * Does one turn of a background loop, and notes how long it takes. Work that takes any time, such
 * as a queue that is never empty, calls `goesOn` with each step.
 */
export async function watchTurn<T>(
  kv: Store,
  name: string,
  work: (goesOn: () => void) => Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const turns = turnsUnderWay.of(kv);
  const turn: LoopTurn = { name, limitMs, movedAt: performance.now() };
  turns.add(turn);
  try {
    return await work(() => void (turn.movedAt = performance.now()));
  } finally {
    turns.delete(turn);
  }
}

/** A loop that stands still. */
export interface StillLoop {
  name: string;
  /** Milliseconds since it last moved on. */
  ms: number;
}

/** Returns the loops whose turn takes longer than its limit, the longest first. */
export function stillLoops(kv: Store): StillLoop[] {
  const now = performance.now();
  return [...turnsUnderWay.of(kv)]
    .filter(({ movedAt, limitMs }) => now - movedAt > limitMs)
    .map(({ name, movedAt }) => ({ name, ms: now - movedAt }))
    .toSorted((a, b) => b.ms - a.ms);
}
