import { createPause } from "../base/time/pause.ts";
import type { Turns } from "../store/limiters/turns.ts";
import { type LogRecord, recordsAt, textOf } from "./chunk.ts";
import type { LineFinder } from "./finder.ts";
import { readLogChunks } from "./store.ts";
import type { Store } from "../store/store.ts";

/**
 * Number of chunks, of some 32 KiB each, that one read takes. With smaller reads most of the time
 * is spent waiting.
 */
const CHUNKS_READ = 64;

/** Search result of one part of an output. */
export interface Scanned {
  /** Numbers of its matching lines. */
  lines: number[];
  /** The last searched line. All lines before it were searched, too. */
  searched: number;
  /** Returns the first `max` of the matching lines. */
  records(max: number): LogRecord[];
}

/** Searches the stored lines after line `after`, part by part, as long as it gets turns. */
export async function* scanLog(
  kv: Store,
  taskId: number,
  after: number,
  find: LineFinder,
  turns: Turns,
): AsyncGenerator<Scanned> {
  const pause = createPause();
  for await (
    const { first, chunk } of inTurns(readLogChunks(kv, taskId, after, CHUNKS_READ), turns)
  ) {
    if (pause.isDue()) await pause.take();
    const offsets = (await find(textOf(chunk), pause)).filter((n) => first + n > after);
    yield {
      lines: offsets.map((n) => first + n),
      searched: first + chunk.delays.length - 1,
      records: (max) => recordsAt(first, chunk, offsets.slice(0, max)),
    };
  }
}

/** Yields `items`, reading each during a turn. */
async function* inTurns<Item>(items: AsyncGenerator<Item>, turns: Turns): AsyncGenerator<Item> {
  try {
    while (await turns.next()) {
      const { value, done } = await items.next();
      if (done) return;
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}
