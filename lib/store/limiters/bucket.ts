import { type Memory, memoryPart } from "../memory.ts";

/** Calls that an address can receive or make in a burst, and then per second in the long run. */
const BURST = 60;
const PER_SECOND = 2;
const BUCKETS_MAX = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** Buckets by caller. Each server counts separately, and forgets at a restart. */
const buckets = memoryPart("buckets of calls", () => new Map<string, Bucket>());

/**
 * Takes one call of an address at `at`, in ticks of the clock. Returns 0, or the seconds to wait
 * when there were too many calls.
 */
export function takeCall(store: { memory: Memory }, alias: string, at: number): number {
  const own = buckets.of(store);
  const before = own.get(alias) ?? { tokens: BURST, at };
  const elapsed = (at - before.at) / 1_000;
  const tokens = Math.min(BURST, before.tokens + elapsed * PER_SECOND);
  own.delete(alias);
  if (own.size >= BUCKETS_MAX) own.delete(own.keys().next().value!); // unused for the longest time
  own.set(alias, { tokens: tokens < 1 ? tokens : tokens - 1, at });
  return tokens < 1 ? Math.ceil((1 - tokens) / PER_SECOND) : 0;
}
