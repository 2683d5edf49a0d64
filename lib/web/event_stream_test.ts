import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import type { ServerEvent } from "../http/server_event.ts";
import { openStream } from "./event_stream.ts";
import type { State } from "./state.ts";

/** Yields two events, the second on request, and reports when the reader has disconnected. */
function source() {
  const next = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  async function* begin(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    signal.addEventListener("abort", () => gone.resolve());
    yield { data: "first" };
    await Promise.race([next.promise, gone.promise]);
    yield { id: 2, event: "told", data: "se\r\ncond" };
  }
  return { begin, next: next.resolve, gone: gone.promise };
}

function openFor(encoding: string, begin: ReturnType<typeof source>["begin"]): Response {
  const req = {
    url: "http://localhost/events",
    headers: new Headers({ "Accept-Encoding": encoding }),
  };
  return openStream({ state: {} as State, req }, begin, {
    events: (event) => [event],
    isPublic: true,
  });
}

Deno.test("an event stream is compressed if the client accepts that, and each event is sent immediately", async () => {
  const { begin, next } = source();
  const response = openFor("br, gzip;q=0.5", begin);
  assert.equal(response.headers.get("Content-Encoding"), "gzip");
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  const texts = body.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH }))[Symbol.asyncIterator]();
  assert.equal(String((await texts.next()).value), "retry: 2000\n\n");
  assert.equal(String((await texts.next()).value), "data: first\n\n");
  next();
  assert.equal(String((await texts.next()).value), "event: told\nid: 2\ndata: se\ndata: cond\n\n");
  assert.equal((await texts.next()).done, true);
});

Deno.test("a reader that disconnects while no event comes ends its source", async () => {
  for (const encoding of ["gzip", "identity", "gzip;q=0"]) {
    const { begin, gone } = source();
    const response = openFor(encoding, begin);
    assert.equal(response.headers.has("Content-Encoding"), encoding === "gzip");
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await gone;
  }
});
