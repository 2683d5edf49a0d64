import { createPause } from "../../../base/time/pause.ts";
import type { LineRange } from "../../log/markers.ts";
import type { WaitingEvents } from "../../run/environment.ts";
import type { RunEvent } from "../../run/events.ts";
import { plainTexts, readEvent, type ReportedEvent, type ReportedOutput } from "./read_event.ts";

/** Longer than any event of the callback, in characters. */
const EVENT_LENGTH_MAX = 1024 * 1024;
/** Most events of a run that may wait until their output is read, and their characters. */
const WAITING_MAX = 10_000;
const WAITING_LENGTH_MAX = 8 * 1024 * 1024;
/** Most characters that may wait in all runs of a server together. */
const SERVER_LENGTH_MAX = 32 * 1024 * 1024;

interface EventReaderOptions {
  mask(text: string, cut: boolean): string;
  markers: { count(): number; take(n: number, host?: string): LineRange | null };
  /** Shared by all runs of the server. */
  allWaiting: WaitingEvents;
  onEvent(event: RunEvent | ReportedOutput): void | Promise<void>;
}

interface EventReader {
  /** Takes bytes that the callback has written. */
  write(chunk: Uint8Array): Promise<void>;
  /** Passes on the events whose output has been read. */
  settle(): void | Promise<void>;
  /** Passes on the rest, when no more output will come. */
  end(): Promise<void>;
  /** Drops the events that still wait, so that other runs of the server have room. */
  close(): void;
}

/**
 * Reads the events of Ansible's callback. It masks them like output, bounds them, and adds the
 * lines of the output that belong to them. When too much waits, the oldest events are passed on
 * without their lines. The run's own processes may write here too, so anything that is not an event
 * counts as lost.
 */
export function eventReader(
  { mask, markers, allWaiting, onEvent }: EventReaderOptions,
): EventReader {
  const lines = eventLines();
  const plain = plainTexts(mask);
  const waiting: (ReportedEvent & { length: number })[] = [];
  let length = 0;
  let passing = Promise.resolve();

  function take({ text, isWhole }: Line): RunEvent | null {
    const reported = isWhole ? readEvent(text, plain) : null;
    if (!reported) return { type: "lost", count: 1 };
    waiting.push({ ...reported, length: text.length });
    length += text.length;
    allWaiting.length += text.length;
    return null;
  }

  const isFull = () =>
    waiting.length > WAITING_MAX || length > WAITING_LENGTH_MAX ||
    allWaiting.length > SERVER_LENGTH_MAX;
  const isReady = ({ mark }: ReportedEvent) => mark === null || mark <= markers.count();

  async function passOn(all: boolean): Promise<void> {
    const pause = createPause();
    while (waiting.length > 0 && (all || isReady(waiting[0]) || isFull())) {
      const first = waiting.shift()!;
      length -= first.length;
      allWaiting.length -= first.length;
      const { event, mark, host } = first;
      const range = mark === null ? null : markers.take(mark, host);
      if ("lines" in event) event.lines = range;
      await onEvent(event);
      if (pause.isDue()) await pause.take();
    }
  }

  /** Passes events on in their order, no matter which call found that they are ready. */
  const passInTurn = (all: boolean) => passing = passing.then(() => passOn(all));

  return {
    async write(chunk) {
      const pause = createPause();
      for (const line of lines(chunk)) {
        const lost = take(line);
        if (lost) await onEvent(lost);
        if (pause.isDue()) await pause.take();
      }
      await passInTurn(false);
    },
    settle: () => waiting.length > 0 ? passInTurn(false) : undefined,
    end: () => passInTurn(true),
    close() {
      allWaiting.length -= length;
      length = 0;
      waiting.length = 0;
    },
  };
}

interface Line {
  text: string;
  /** False for the end of a line whose beginning was dropped because it was too long. */
  isWhole: boolean;
}

/** Splits chunks into lines. None of them is longer than an event. */
function eventLines(): (chunk: Uint8Array) => Line[] {
  const decoder = new TextDecoder();
  let [rest, isWhole] = ["", true];
  return (chunk) => {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = texts.pop()!;
    const lines = texts.map((text, n) => ({ text, isWhole: n > 0 || isWhole }));
    if (lines.length > 0) isWhole = true;
    if (rest.length > EVENT_LENGTH_MAX) [rest, isWhole] = ["", false];
    return lines;
  };
}
