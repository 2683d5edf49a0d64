import { createPause } from "../../base/time/pause.ts";
import { eventCsv, EVENTS_CSV_HEAD } from "../../events/csv.ts";
import type { EventView } from "../../events/schema.ts";
import { tell } from "../../i18n/tell.ts";
import type { Translate } from "../../i18n/translate.ts";
import { textStream } from "../text_stream.ts";

/** Returns a download of events as CSV. They are read as fast as the client takes them. */
export const csvExport = (events: AsyncIterable<EventView>, t: Translate): Response =>
  download(
    withHead(EVENTS_CSV_HEAD, events, (event) => eventCsv(event, tell(event.description, t))),
    "text/csv; charset=utf-8",
    "callboard_events.csv",
  );

/** Returns a download of events with one JSON object in each line. */
export const linesExport = (events: AsyncIterable<EventView>, t: Translate): Response =>
  download(
    withHead("", events, (event) =>
      JSON.stringify({ ...event, description: tell(event.description, t) }) + "\n"),
    "application/x-ndjson",
    "callboard_events.jsonl",
  );

/** Characters that are sent together. */
const CHUNK = 16_384;

async function* withHead(
  head: string,
  events: AsyncIterable<EventView>,
  lineOf: (event: EventView) => string,
): AsyncGenerator<string> {
  const pause = createPause();
  let text = head;
  for await (const event of events) {
    text += lineOf(event);
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
    if (pause.isDue()) await pause.take();
  }
  if (text) yield text;
}

const download = (texts: AsyncGenerator<string>, type: string, name: string): Response =>
  new Response(textStream(() => texts), {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });
