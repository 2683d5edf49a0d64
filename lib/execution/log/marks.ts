/** Lines of a run's output, which count from 1 within it. */
export interface LineRange {
  from: number;
  to: number;
}

/** Tells what was printed up to each mark that a command puts into its output. */
export interface Marks {
  /** No secret has signs like these, nor does any output by chance. */
  mark: string;
  /** Takes each line, with its number. */
  onLine(line: string, n: number): void;
  /** The next mark has come. */
  onMark(): void;
}

const MARK_LENGTH = 16;

/** Control characters that no terminal obeys, in an order that only the run's own process knows. */
function newMark(): string {
  const signs = "\x01\x02\x03\x04\x05\x06\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17";
  const bytes = crypto.getRandomValues(new Uint8Array(MARK_LENGTH));
  return Array.from(bytes, (byte) => signs[byte % signs.length]).join("");
}

/**
 * Passes on text that comes in pieces without its marks, each of which is told in its place. What of
 * one is left at the end, when the command was killed amid it, is no output.
 */
export function withoutMarks(
  { mark, onMark }: Marks,
  write: (text: string) => Promise<void>,
): (text: string) => Promise<void> {
  let rest = "";
  return async (text) => {
    const parts = (rest + text).split(mark);
    const last = parts.pop()!;
    for (const part of parts) {
      if (part) await write(part);
      onMark();
    }
    const begun = beginningAtEnd(last, mark);
    rest = last.slice(last.length - begun);
    if (begun < last.length) await write(last.slice(0, last.length - begun));
  };
}

/** How much of `mark` a text ends with. */
function beginningAtEnd(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

/** How many marks may be ahead of what belongs to them. */
const AHEAD_MAX = 100_000;

/** Remembers, by the numbers of marks, which lines were printed since the mark before. */
export function markedLines(): Marks & {
  /** How many have come. */
  count(): number;
  /** The lines of mark `n`, and forgets those of earlier ones; null where there are none. */
  take(n: number): LineRange | null;
} {
  let count = 0;
  let range: LineRange | null = null;
  const ranges = new Map<number, LineRange>();
  return {
    mark: newMark(),
    onLine(line, n) {
      if (range) range.to = n;
      else if (line.trim() !== "") range = { from: n, to: n };
    },
    onMark() {
      count++;
      if (range && ranges.size < AHEAD_MAX) ranges.set(count, range);
      range = null;
    },
    count: () => count,
    take(n) {
      const found = ranges.get(n) ?? null;
      for (const earlier of ranges.keys()) {
        if (earlier > n) break;
        ranges.delete(earlier);
      }
      return found;
    },
  };
}
