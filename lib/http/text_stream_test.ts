import assert from "node:assert/strict";
import { keepAlive } from "./text_stream.ts";

Deno.test("a quiet stream sends fillers and loses no text", async () => {
  const heardTwice = Promise.withResolvers<void>();
  async function* texts() {
    yield "first";
    await heardTwice.promise;
    yield "second";
  }
  const heard: string[] = [];
  for await (const text of keepAlive(texts(), ".", 20)) {
    heard.push(text);
    if (heard.filter((one) => one === ".").length === 2) heardTwice.resolve();
  }
  assert.deepEqual(heard.filter((text) => text !== "."), ["first", "second"]);
  assert.equal(heard.at(-1), "second");
});

Deno.test("a stream without a reader ends its source", async () => {
  let ended = false;
  async function* texts() {
    try {
      while (true) yield "line";
    } finally {
      ended = true;
    }
  }
  const stream = keepAlive(texts(), ".");
  await stream.next();
  await stream.return(undefined);
  assert.ok(ended);
});
