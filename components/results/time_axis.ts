const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Round steps between the ticks of an axis. */
const STEPS = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 8, 12, 24].map((n) => n * HOUR),
];
const TICKS_MAX = 5;

/**
 * Returns the ticks of an axis of `totalMs`, in milliseconds after its start. There are at most
 * five.
 */
export function axisTicks(totalMs: number): number[] {
  const wanted = totalMs / TICKS_MAX;
  const days = Math.ceil(wanted / (24 * HOUR)) * 24 * HOUR;
  const step = STEPS.find((step) => step >= wanted) ?? days;
  const ticks = Array.from({ length: TICKS_MAX }, (_, n) => (n + 1) * step);
  return ticks.filter((tick) => tick < totalMs);
}

/** Characters that fit above the narrowest axis, and the space between two labels. */
const LETTERS_MAX = 34;
const GAP = 2;

/** Returns the labels of the ticks. Skips every other one if the labels would overlap. */
export function axisLabels(totalMs: number, labelOf: (ms: number) => string): [number, string][] {
  const labels = axisTicks(totalMs).map((tick): [number, string] => [tick, labelOf(tick)]);
  const letters = labels.reduce((sum, [, text]) => sum + text.length + GAP, 0);
  return letters <= LETTERS_MAX ? labels : labels.filter((_, n) => n % 2 === 1);
}
