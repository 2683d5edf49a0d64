import type { LiveRecord } from "../base/hub.ts";

/** One line of output as it is stored and answered. `id` counts from 1 within its task. */
export type LogRecord = LiveRecord;

/** Lines that were stored together. */
export interface LogChunk {
  /** Milliseconds since the epoch of the first line, and of each line after it. */
  time: number;
  delays: number[];
  /** The lines in UTF-8, joined by newlines: smaller than strings with escapes in them. */
  text: Uint8Array;
}

/** Whether with this line Ansible announces a task of a play, or a handler. */
export const announcesPlayTask = (line: string): boolean => /^(TASK|RUNNING HANDLER) \[/.test(line);

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
  return { time, delays: times.map((at) => at - time), text };
}

/** The lines of a chunk whose first one is line `first` of its task. */
export function recordsOf(first: number, { time, delays, text }: LogChunk): LogRecord[] {
  return decoder.decode(text).split("\n").map((output, n) => ({
    id: first + n,
    time: new Date(time + delays[n]).toISOString(),
    output,
  }));
}
