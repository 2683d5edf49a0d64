import { memoryPart } from "./memory.ts";
import type { Store } from "./store.ts";

/** A pass of a background loop that has begun and not ended. */
interface LoopPass {
  name: string;
  limitMs: number;
  /** When it began, or last said that it goes on, on the clock of `performance`. */
  movedAt: number;
}

const passesUnderWay = memoryPart("passes of loops", () => new Set<LoopPass>());

/** Longest pass of a loop without a limit of its own. Most passes take milliseconds. */
const LIMIT_MS = 5 * 60_000;

/**
 * Does one pass of a background loop, and notes how long it takes. Work that takes any time, such
 * as a queue that is never empty, calls `goesOn` with each step.
 */
export async function watchPass<T>(
  kv: Store,
  name: string,
  work: (goesOn: () => void) => Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const passes = passesUnderWay.of(kv);
  const pass: LoopPass = { name, limitMs, movedAt: performance.now() };
  passes.add(pass);
  try {
    return await work(() => void (pass.movedAt = performance.now()));
  } finally {
    passes.delete(pass);
  }
}

/** A loop that stands still. */
export interface StillLoop {
  name: string;
  /** Milliseconds since it last moved on. */
  ms: number;
}

/** Returns the loops whose pass takes longer than its limit, the longest first. */
export function stillLoops(kv: Store): StillLoop[] {
  const now = performance.now();
  return [...passesUnderWay.of(kv)]
    .filter(({ movedAt, limitMs }) => now - movedAt > limitMs)
    .map(({ name, movedAt }) => ({ name, ms: now - movedAt }))
    .toSorted((a, b) => b.ms - a.ms);
}
