/** Counts something that should not happen. */
export interface Tally {
  add(): void;
  /** Returns the number of all that happened, or 0 if the latest is more than an hour ago. */
  recent(): number;
}

const RECENT_MS = 3_600_000;

/** `now` returns milliseconds of a clock that is never set back. */
export function createTally(now: () => number): Tally {
  let [count, latest] = [0, -Infinity];
  return {
    add() {
      count++;
      latest = now();
    },
    recent: () => now() - latest < RECENT_MS ? count : 0,
  };
}
