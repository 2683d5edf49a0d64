import type { LogSections } from "@/lib/output/matches.ts";

export type LogSection = LogSections["sections"][number];

/** Lines that are not shown, one range after the other, and how many rows the others take. */
export interface Folds {
  rows: number;
  /** The row of a line: of one that is folded away, that of the line that stands for it. */
  rowOf(line: number): number;
  lineOf(row: number): number;
  /** Whether the line is folded away. */
  hides(line: number): boolean;
}

/** The last line of a section: a play goes on over its tasks. */
export function endOf(sections: LogSection[], n: number, total: number): number {
  const { depth } = sections[n];
  let next = n + 1;
  while (next < sections.length && sections[next].depth > depth) next++;
  return next < sections.length ? sections[next].line - 1 : total;
}

/** What is left of `total` lines where those sections are folded that are closed. */
export function foldsOf(
  sections: LogSection[],
  isClosed: (section: LogSection) => boolean,
  total: number,
): Folds {
  /** Where ranges begin and end, and how many lines are hidden up to their ends. */
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
  /** The last range that begins at or before a line. */
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
    // A range's own row is the last one before it: rows behind that are behind the range.
    lineOf: (row) => row + (rangeAt(({ to, sum }) => to - sum < row)?.sum ?? 0),
    hides(line) {
      const range = rangeAt(({ from }) => from <= line);
      return range !== undefined && line <= range.to;
    },
  };
}

/** Lines in order as ranges of lines that follow one another. */
export function rangesOf(lines: number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}
