import type { LogSections } from "@/lib/output/matches.ts";

export type FoldedSection = LogSections["sections"][number];

/** Ranges of folded lines, and the number of rows that remain. */
export interface Folds {
  rows: number;
  /** Returns the row of a line. A folded line has the row of the line that stands for it. */
  rowOf(line: number): number;
  lineOf(row: number): number;
  /** Whether the line is folded. */
  hides(line: number): boolean;
}

/** Returns the last line of a section. A play includes its tasks. */
export function endOf(sections: FoldedSection[], n: number, total: number): number {
  const { depth } = sections[n];
  let next = n + 1;
  while (next < sections.length && sections[next].depth > depth) next++;
  return next < sections.length ? sections[next].line - 1 : total;
}

/** Returns the folds of `total` lines if the closed sections are folded. */
export function foldsOf(
  sections: FoldedSection[],
  isClosed: (section: FoldedSection) => boolean,
  total: number,
): Folds {
  /** Start and end of each range, and the number of hidden lines up to its end. */
  const hidden: { from: number; to: number; sum: number }[] = [];
  let sum = 0;
  for (const [n, section] of sections.entries()) {
    const { line } = section;
    if (line <= (hidden.at(-1)?.to ?? 0) || !isClosed(section)) continue;
    const to = endOf(sections, n, total);
    if (to <= line) continue;
    sum += to - line;
    hidden.push({ from: line + 1, to, sum });
  }
  /** Returns the last range for which `isBefore` holds. */
  function rangeAt(isBefore: (range: (typeof hidden)[number]) => boolean) {
    let [low, high] = [0, hidden.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(hidden[middle])) low = middle + 1;
      else high = middle;
    }
    return hidden[low - 1];
  }
  return {
    rows: total - sum,
    rowOf(line) {
      const range = rangeAt(({ from }) => from <= line);
      if (!range) return line;
      return line <= range.to ? range.to - range.sum : line - range.sum;
    },
    // The row of a range is that of the line before it. Later rows are after the range.
    lineOf: (row) => row + (rangeAt(({ to, sum }) => to - sum < row)?.sum ?? 0),
    hides(line) {
      const range = rangeAt(({ from }) => from <= line);
      return range !== undefined && line <= range.to;
    },
  };
}

/** Combines sorted lines into ranges of consecutive lines. */
export function rangesOf(lines: number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}
