import { createPause } from "../../base/pause.ts";
import type { LineRange } from "../log/marks.ts";
import type { WaitingEvents } from "../run/environment.ts";
import type { RunEvent } from "../run/events.ts";
import { plainEvent, plainTexts } from "./plain_event.ts";
import { type WireEvent, wireEvent } from "./wire.ts";

/** Longer than any event that the callback makes. */
const EVENT_LENGTH_MAX = 1024 * 1024;
/** Events of a run that wait until the output that they belong to is read, and their characters. */
const WAITING_MAX = 10_000;
const WAITING_LENGTH_MAX = 8 * 1024 * 1024;
/** Characters that wait in all runs of a server together. */
const SERVER_LENGTH_MAX = 32 * 1024 * 1024;

interface EventReaderOptions {
  mask(text: string, cut: boolean): string;
  marks: { count(): number; take(n: number): LineRange | null };
  /** Those of the whole server. */
  allWaiting: WaitingEvents;
  onEvent(event: RunEvent): void | Promise<void>;
}

interface EventReader {
  /** Takes what the callback has written. */
  write(chunk: Uint8Array): Promise<void>;
  /** Passes on what has waited for the output that was read meanwhile. */
  settle(): void | Promise<void>;
  /** Passes on the rest: no output will come. */
  end(): Promise<void>;
  /** Drops what still waits, so that others of the server have room. */
  close(): void;
}

/**
 * Reads what Ansible's callback reports: masked as output is, bounded, with the lines of the output
 * that belong to it. When too much waits, the oldest events go on without their lines. The run's own
 * processes may write here too: anything that is not an event counts as lost.
 */
export function eventReader(
  { mask, marks, allWaiting, onEvent }: EventReaderOptions,
): EventReader {
  const lines = eventLines();
  const plain = plainTexts(mask);
  const waiting: { event: WireEvent; length: number }[] = [];
  let length = 0;
  let passing = Promise.resolve();

  function take({ text, isWhole }: Line): RunEvent | null {
    const event = isWhole ? parseEvent(text) : null;
    if (!event) return { type: "lost", count: 1 };
    waiting.push({ event, length: text.length });
    length += text.length;
    allWaiting.length += text.length;
    return null;
  }

  const isFull = () =>
    waiting.length > WAITING_MAX || length > WAITING_LENGTH_MAX ||
    allWaiting.length > SERVER_LENGTH_MAX;
  const isReady = ({ event }: { event: WireEvent }) => !("m" in event) || event.m <= marks.count();

  async function passOn(all: boolean): Promise<void> {
    const pause = createPause();
    while (waiting.length > 0 && (all || isReady(waiting[0]) || isFull())) {
      const first = waiting.shift()!;
      length -= first.length;
      allWaiting.length -= first.length;
      const range = "m" in first.event ? marks.take(first.event.m) : null;
      await onEvent(plainEvent(first.event, plain, range));
      if (pause.isDue()) await pause.take();
    }
  }

  /** Events go on in their order, whoever has found that they can. */
  const passInTurn = (all: boolean) => passing = passing.then(() => passOn(all));

  return {
    async write(chunk) {
      for (const line of lines(chunk)) {
        const lost = take(line);
        if (lost) await onEvent(lost);
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
  /** False for the end of one whose beginning was too long to be kept. */
  isWhole: boolean;
}

/** Cuts what comes into lines, of which none is longer than an event. */
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

function parseEvent(text: string): WireEvent | null {
  try {
    return wireEvent.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
