/** One line of the table: a name, and the measured values. */
export type Row = [name: string, values: Record<string, string>];

/** Returns the value below which `share` of the sorted values lie. */
function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Returns median and 99th percentile of times in milliseconds. */
export function times(values: number[]): Record<string, string> {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: ms(percentile(sorted, 0.5)), p99: ms(percentile(sorted, 0.99)) };
}

export const perSecond = (count: number, durationMs: number): string =>
  `${Math.round(count / durationMs * 1000).toLocaleString("en")}/s`;

/** Returns the times of `count` calls, made one after the other. */
export async function timeEach(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let n = 0; n < count; n++) {
    const startedAt = performance.now();
    await call();
    values.push(performance.now() - startedAt);
  }
  return values;
}

/** Makes `count` calls in all, by `clients` in parallel. */
export async function load(
  count: number,
  clients: number,
  call: () => Promise<unknown>,
): Promise<Record<string, string>> {
  const values: number[] = [];
  let left = count;
  const startedAt = performance.now();
  const client = async () => {
    while (left-- > 0) values.push(...await timeEach(1, call));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { rate: perSecond(count, performance.now() - startedAt), ...times(values) };
}

const COLUMNS = { rate: 9, p50: 10, p99: 10, note: 0 };

/** Returns one line of the table, or its head without a row. */
export function formatRow([name, values]: Row = ["", { rate: "rate", p50: "p50", p99: "p99" }]) {
  const cells = Object.entries(COLUMNS).map(([column, width]) =>
    (values[column] ?? "").padStart(width)
  );
  return [name.padEnd(62), ...cells].join("  ").trimEnd();
}
