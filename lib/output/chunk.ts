import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { LiveRecord } from "../base/hub.ts";
import { FULL_BYTES, LINE_BYTES_MAX } from "../execution/log/output.ts";

/** One line of output as it is stored and returned. `id` counts from 1 within its task. */
export type LogRecord = LiveRecord;

/** Lines stored in one row. */
export interface LogChunk {
  /** Time of the first line, in milliseconds since the epoch. */
  time: number;
  /** Milliseconds between the first line and each further one. */
  delays: Int32Array;
  /** Lines in UTF-8, joined by newlines, which is smaller than strings with escapes. */
  text: Uint8Array;
  /** Set if the text is compressed. */
  deflated?: true;
}

/** Compressing fewer bytes saves hardly any. */
const DEFLATED_MIN = 80;
/** A quarter of the time of the usual level, for 6 % more bytes. */
const LEVEL = 3;
/** More bytes than any chunk has. */
const TEXT_MAX = 1024 * 1024;

/** Returns the chunk as it is stored, with a compressed text if that is smaller. */
export function deflated(chunk: LogChunk): LogChunk {
  if (chunk.text.length < DEFLATED_MIN) return chunk;
  const text = new Uint8Array(deflateRawSync(chunk.text, { level: LEVEL }));
  return text.length < chunk.text.length ? { ...chunk, text, deflated: true } : chunk;
}

/** Maximum delay in milliseconds. It is exceeded only if the clock was set meanwhile. */
const DELAY_MAX = 2 ** 31 - 1;

const decoder = new TextDecoder();

/**
 * Returns a line as a chunk can hold it. The output of processes always fits. A sentence, or a line
 * that a runner sends, may be too long or contain newlines.
 */
export function storableLine(line: string): string {
  const whole = line.includes("\n") ? line.replaceAll("\n", " ") : line;
  if (whole.length * 3 <= LINE_BYTES_MAX) return whole;
  const encoder = new TextEncoder();
  if (encoder.encodeInto(whole, new Uint8Array(LINE_BYTES_MAX)).read === whole.length) return whole;
  // A full part would go on in the next line.
  const { read } = encoder.encodeInto(whole, new Uint8Array(FULL_BYTES - 1));
  return whole.slice(0, read);
}

/** Returns the lines, which contain no newlines, as a chunk. */
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

/** Returns the lines of a chunk, separated by newlines. */
export const textOf = ({ text, deflated }: LogChunk): string =>
  decoder.decode(deflated ? inflateRawSync(text, { maxOutputLength: TEXT_MAX }) : text);

/** Returns the lines of a chunk whose first one is line `first` of its task. */
export const recordsOf = (first: number, chunk: LogChunk): LogRecord[] =>
  textOf(chunk).split("\n").map((output, n) => recordOf(first, chunk, n, output));

/** Returns the lines at these positions of a chunk, counted from 0. */
export function recordsAt(first: number, chunk: LogChunk, offsets: number[]): LogRecord[] {
  if (offsets.length === 0) return [];
  const lines = textOf(chunk).split("\n");
  return offsets.map((n) => recordOf(first, chunk, n, lines[n]));
}

const recordOf = (first: number, { time, delays }: LogChunk, n: number, output: string) => ({
  id: first + n,
  time: new Date(time + delays[n]).toISOString(),
  output,
});
