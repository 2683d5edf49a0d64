import assert from "node:assert/strict";
import { bodyChunks, readText } from "./body.ts";

/** Returns a request whose body is written by `send`. */
const sent = (send: (controller: ReadableStreamDefaultController<Uint8Array>) => void) => {
  let isGivenUp = false;
  const body = new ReadableStream<Uint8Array>({
    start: send,
    cancel: () => void (isGivenUp = true),
  });
  const req = new Request("http://localhost", { method: "POST", body });
  return { req, isGivenUp: () => isGivenUp };
};

const read = async (req: Request, bytesMax = 100) =>
  await new Blob(await Array.fromAsync(bodyChunks(req, bytesMax, 50))).text();

Deno.test("a body is read to its end", async () => {
  const { req } = sent((controller) => {
    for (const text of ["some", " ", "text"]) controller.enqueue(new TextEncoder().encode(text));
    controller.close();
  });
  assert.equal(await read(req), "some text");
  assert.equal(await read(new Request("http://localhost")), "");
});

Deno.test("a body that never ends or arrives too slowly is cancelled", async () => {
  const never = sent(() => {});
  await assert.rejects(() => read(never.req), { status: 408 });
  assert.ok(never.isGivenUp());
  let timer: ReturnType<typeof setInterval> | undefined;
  const drops = sent((controller) => {
    timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 5);
  });
  try {
    await assert.rejects(() => read(drops.req), { status: 408 });
  } finally {
    clearInterval(timer);
  }
});

Deno.test("a body that is too long or breaks off is refused", async () => {
  const long = sent((controller) => controller.enqueue(new Uint8Array(101)));
  await assert.rejects(() => read(long.req), { status: 413 });
  assert.ok(long.isGivenUp());
  const broken = sent((controller) => controller.error(new TypeError("reset by peer")));
  await assert.rejects(() => read(broken.req), { status: 400 });
});

Deno.test("a body with a transfer encoding is counted, whatever length it claims", async () => {
  const headers = { "Content-Length": "3", "Transfer-Encoding": "chunked" };
  const request = new Request("http://x", { method: "POST", body: "x".repeat(100), headers });
  await assert.rejects(readText(request, 50), { status: 413 });
});
