import { stripVTControlCharacters } from "node:util";

/** Lines of a run's output, numbered from 1. */
export interface LineRange {
  from: number;
  to: number;
}

/** Finds the markers that a command puts into its output. */
export interface Markers {
  /** Contains characters that do not appear in secrets, and not by chance in any output. */
  marker: string;
  /** Takes each line, with its number. */
  onLine(line: string, n: number): void;
  /** Called at each marker. */
  onMarker(): void;
}

const MARKER_LENGTH = 16;

/**
 * Returns control characters that terminals ignore, in an order that only the run's own process
 * knows.
 */
function newMarker(): string {
  const signs = "\x01\x02\x03\x04\x05\x06\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17";
  const bytes = crypto.getRandomValues(new Uint8Array(MARKER_LENGTH));
  return Array.from(bytes, (byte) => signs[byte % signs.length]).join("");
}

/**
 * Passes on text that comes in pieces, without its markers. Calls `onMarker` at the position of
 * each. A partial marker at the end, left by a command that was killed while writing it, is not
 * output.
 */
export function withoutMarkers(
  { marker, onMarker }: Markers,
  write: (text: string) => Promise<void>,
): (text: string) => Promise<void> {
  let rest = "";
  return async (text) => {
    const parts = (rest + text).split(marker);
    const last = parts.pop()!;
    for (const part of parts) {
      if (part) await write(part);
      onMarker();
    }
    const begun = beginningAtEnd(last, marker);
    rest = last.slice(last.length - begun);
    if (begun < last.length) await write(last.slice(0, last.length - begun));
  };
}

/** Returns how many characters of the beginning of `marker` a text ends with. */
function beginningAtEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

/** How many markers may come before the events that belong to them. */
const AHEAD_MAX = 100_000;

/** How many lines of a range are kept to find its host, and how many characters of each. */
const KEPT_LINES = 20;
const KEPT_LENGTH = 300;
/** How many lines are kept after those, of the kind that names hosts. */
const KEPT_RESULTS = 20;
/** How many characters are kept in all ranges that wait. Further ranges are only numbers. */
const KEPT_MAX = 8 * 1024 * 1024;

/**
 * The line of a result in any usual format: "fatal: [web]", "web | FAILED". Since 2.19, dozens of
 * lines with the cause of an error can come before it.
 */
const RESULT = /: \[|\S \| /;

interface KeptRange extends LineRange {
  /** Beginnings of the first lines that are not blank, and of later ones that may name a host. */
  beginnings: { text: string; n: number }[];
  /** Whether there are lines that were not kept. */
  isCut: boolean;
}

/**
 * Returns the range from the first line that names `host`; null if no line does. If lines were not
 * kept, one of them may name it.
 */
function rangeOfHost({ from, to, beginnings, isCut }: KeptRange, host: string): LineRange | null {
  const first = beginnings.find(({ text }) => namesHost(stripVTControlCharacters(text), host));
  if (first) return { from: first.n, to };
  return isCut ? { from, to } : null;
}

const lengthOf = ({ beginnings }: KeptRange): number =>
  beginnings.reduce((sum, { text }) => sum + text.length, 0);

/** Returns whether a line contains a name that is not a part of another one. */
function namesHost(line: string, host: string): boolean {
  const isPart = (character: string | undefined) => /[\w.-]/.test(character ?? "");
  for (let at = line.indexOf(host); at >= 0; at = line.indexOf(host, at + 1)) {
    if (!isPart(line[at - 1]) && !isPart(line[at + host.length])) return true;
  }
  return false;
}

/** Remembers the lines printed since the previous marker, for each marker by its number. */
export function createLineMarkers(): Markers & {
  /** Number of markers so far. */
  count(): number;
  /**
   * Returns the lines of marker `n`, or null if there are none, and forgets those of earlier
   * markers. With `host`, lines before the first one that names it are left out: another callback
   * printed them after the marker before.
   */
  take(n: number, host?: string): LineRange | null;
} {
  let count = 0;
  let kept = 0;
  let range: KeptRange | null = null;
  const ranges = new Map<number, KeptRange>();
  return {
    marker: newMarker(),
    onLine(line, n) {
      if (range) range.to = n;
      else if (line.trim() !== "") range = { from: n, to: n, beginnings: [], isCut: false };
      if (!range) return;
      const text = line.slice(0, KEPT_LENGTH);
      const { length } = range.beginnings;
      const isKept = length < KEPT_LINES || length < KEPT_LINES + KEPT_RESULTS && RESULT.test(text);
      if (isKept) range.beginnings.push({ text, n });
      else range.isCut = true;
    },
    onMarker() {
      count++;
      if (range && ranges.size < AHEAD_MAX) {
        if (kept > KEPT_MAX) range = { ...range, beginnings: [], isCut: true };
        kept += lengthOf(range);
        ranges.set(count, range);
      }
      range = null;
    },
    count: () => count,
    take(n, host) {
      const found = ranges.get(n);
      for (const [earlier, range] of ranges) {
        if (earlier > n) break;
        kept -= lengthOf(range);
        ranges.delete(earlier);
      }
      if (!found) return null;
      return host === undefined ? { from: found.from, to: found.to } : rangeOfHost(found, host);
    },
  };
}
