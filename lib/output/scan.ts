import { createPause } from "../base/pause.ts";
import type { Turns } from "../base/turns.ts";
import { type LogRecord, recordsAt, textOf } from "./chunk.ts";
import type { LineFinder } from "./finder.ts";
import { readChunks } from "./store.ts";

/** Chunks that are read at once, of some 32 KiB each: in small reads, most of the time is waiting. */
const CHUNKS_READ = 64;

/** What a part of an output has. */
export interface Scanned {
  /** The numbers of its lines that match. */
  lines: number[];
  /** The last line that was looked at: all before it were, too. */
  searched: number;
  /** The first `max` of those lines. */
  records(max: number): LogRecord[];
}

/** Looks through the stored lines after line `after`, part by part, while there are turns for it. */
export async function* scanLog(
  kv: Deno.Kv,
  taskId: number,
  after: number,
  find: LineFinder,
  turns: Turns,
): AsyncGenerator<Scanned> {
  const pause = createPause();
  for await (const { first, chunk } of inTurns(readChunks(kv, taskId, after, CHUNKS_READ), turns)) {
    if (pause.isDue()) await pause.take();
    const places = (await find(textOf(chunk), pause)).filter((n) => first + n > after);
    yield {
      lines: places.map((n) => first + n),
      searched: first + chunk.delays.length - 1,
      records: (max) => recordsAt(first, chunk, places.slice(0, max)),
    };
  }
}

/** `items`, each of which is read during a turn. */
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
