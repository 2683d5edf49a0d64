/** A peer that vanished is noticed after the shorter time. */
const MS_MIN = 5_000;
const MS_MAX = 30_000;
/** Number of times that an answer may take as long as the one before it. */
const SLOWER = 4;

/** Time limit of calls that are repeated. It follows what the answers need. */
export function createTimeLimit() {
  let ms = MS_MIN;
  const set = (wanted: number) => void (ms = Math.min(Math.max(wanted, MS_MIN), MS_MAX));
  return {
    get ms() {
      return ms;
    },
    answered: (tookMs: number) => set(tookMs * SLOWER),
    /** A slow server would otherwise be asked the same for ever, without the time to answer. */
    failed: () => set(ms * 2),
  };
}
