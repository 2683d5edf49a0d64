import type { LineRange } from "../log/marks.ts";
import type { RunEvent } from "../run/events.ts";
import { plainEvent, plainTexts } from "./plain_event.ts";
import { type WireEvent, wireEvent } from "./wire.ts";

/** Longer than any event that the callback makes. */
const EVENT_LENGTH_MAX = 1024 * 1024;
/** Events that wait until the output that they belong to is read. */
const WAITING_MAX = 10_000;

interface EventReaderOptions {
  mask(text: string, cut: boolean): string;
  marks: { count(): number; take(n: number): LineRange | null };
  onEvent(event: RunEvent): void | Promise<void>;
}

interface EventReader {
  /** Takes what the callback has written. */
  write(chunk: Uint8Array): Promise<void>;
  /** Passes on what has waited for the output that was read meanwhile. */
  settle(): void | Promise<void>;
  /** Passes on the rest: no output will come. */
  end(): void | Promise<void>;
}

/**
 * Reads what Ansible's callback reports: masked as output is, bounded, with the lines of the output
 * that belong to it. What is no event is passed over: the run's own processes can write it.
 */
export function eventReader({ mask, marks, onEvent }: EventReaderOptions): EventReader {
  const decoder = new TextDecoder();
  const plain = plainTexts(mask);
  let rest = "";
  let waiting: WireEvent[] = [];

  function passOn(all: boolean): void | Promise<void> {
    const seen = marks.count();
    let ready = waiting.findIndex((event) => "m" in event && event.m > seen);
    if (ready < 0 || all) ready = waiting.length;
    ready = Math.max(ready, waiting.length - WAITING_MAX);
    let taken: void | Promise<void> = undefined;
    for (const event of waiting.slice(0, ready)) {
      const lines = "m" in event ? marks.take(event.m) : null;
      taken = onEvent(plainEvent(event, plain, lines));
    }
    if (ready > 0) waiting = waiting.slice(ready);
    return taken;
  }

  return {
    async write(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      if (rest.length > EVENT_LENGTH_MAX) rest = "";
      for (const line of lines) {
        const event = parseEvent(line);
        if (event) waiting.push(event);
      }
      await passOn(false);
    },
    settle: () => waiting.length > 0 ? passOn(false) : undefined,
    end: () => passOn(true),
  };
}

function parseEvent(line: string): WireEvent | null {
  if (!line.startsWith("{")) return null;
  try {
    return wireEvent.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
