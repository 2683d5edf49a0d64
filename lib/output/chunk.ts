import type { LiveRecord } from "../base/hub.ts";

/** One line of output as it is stored and answered. `id` counts from 1 within its task. */
export type LogRecord = LiveRecord;

/** Lines that were stored together. */
export interface LogChunk {
  /** Milliseconds since the epoch of the first line, and of each line after it. */
  time: number;
  /** Plain numbers in earlier versions; of a million lines those alone took a quarter of a second. */
  delays: Int32Array | number[];
  /** The lines in UTF-8, joined by newlines: smaller than strings with escapes in them. */
  text: Uint8Array;
}

/** What a delay can be, in milliseconds: more only where the clock was set meanwhile. */
const DELAY_MAX = 2 ** 31 - 1;

const decoder = new TextDecoder();

/** The lines, none of which has a newline in it, as a chunk. */
export function chunkOf(lines: Uint8Array[], times: number[]): LogChunk {
  const text = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, -1));
  let offset = 0;
  for (const line of lines) {
    if (offset > 0) text[offset - 1] = 10;
    text.set(line, offset);
    offset += line.length + 1;
  }
  const [time] = times;
  const delays = Int32Array.from(
    times,
    (at) => Math.max(-DELAY_MAX, Math.min(at - time, DELAY_MAX)),
  );
  return { time, delays, text };
}

/** The lines of a chunk with newlines between them. */
export const textOf = ({ text }: LogChunk): string => decoder.decode(text);

/** The lines of a chunk whose first one is line `first` of its task. */
export const recordsOf = (first: number, chunk: LogChunk): LogRecord[] =>
  textOf(chunk).split("\n").map((output, n) => recordOf(first, chunk, n, output));

/** Those of them at some places, counted from 0. */
export function recordsAt(first: number, chunk: LogChunk, places: number[]): LogRecord[] {
  if (places.length === 0) return [];
  const lines = textOf(chunk).split("\n");
  return places.map((n) => recordOf(first, chunk, n, lines[n]));
}

const recordOf = (first: number, { time, delays }: LogChunk, n: number, output: string) => ({
  id: first + n,
  time: new Date(time + delays[n]).toISOString(),
  output,
});
