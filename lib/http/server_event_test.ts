import assert from "node:assert/strict";
import {
  createEventReader,
  type ReadEvent,
  type ServerEvent,
  serverEventText,
} from "./server_event.ts";

/** Reads a text that comes in parts. */
function readParts(parts: string[]): ReadEvent[] {
  const events: ReadEvent[] = [];
  const read = createEventReader((event) => events.push(event));
  parts.forEach(read);
  return events;
}

Deno.test("events are read as they were written, wherever the stream is cut", () => {
  const sent: ServerEvent[] = [
    { id: 7, event: "notice", data: "one\ntwo\r\nthree\rfour: five\n\n" },
    { data: " <p>\u2028</p>" },
    { event: "stale", data: "" },
    { id: 8 },
    {},
    { id: "b", data: "data: last" },
  ];
  const comments = ": still here\n\n";
  const text = "retry: 2000\n\n" + sent.map(serverEventText).join(comments);
  const expected = [
    { id: "7", event: "notice", data: "one\ntwo\nthree\nfour: five\n\n" },
    { id: undefined, event: undefined, data: " <p>\u2028</p>" },
    { id: undefined, event: "stale", data: "" },
    { id: "b", event: undefined, data: "data: last" },
  ];
  assert.deepEqual(readParts([text]), expected);
  assert.deepEqual(readParts([...text]), expected);
  for (let at = 0; at <= text.length; at++) {
    assert.deepEqual(readParts([text.slice(0, at), text.slice(at)]), expected, `cut at ${at}`);
  }
});

Deno.test("an event is read only once its end has come", () => {
  assert.deepEqual(readParts([serverEventText({ data: "one" }).slice(0, -1)]), []);
});
