import assert from "node:assert/strict";
import { linkedAbort, unlessAborted } from "@/lib/base/time/abort.ts";
import { createBell } from "@/lib/base/bell.ts";
import { merge } from "@/lib/base/merge.ts";
import { watchStore } from "@/lib/monitoring/health/watch_store.ts";
import { keepAlive } from "@/lib/http/text_stream.ts";
import { heapInUse, heapPerCall } from "@/tests/support/basics/heap.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Noise in bytes. One closure or one promise that is not released is more. */
const BYTES_MAX = 20;

/** Yields nothing until its signal is aborted. */
// deno-lint-ignore require-yield -- that is the point
async function* quiet(signal: AbortSignal): AsyncGenerator<string> {
  const bell = createBell();
  signal.addEventListener("abort", bell.ring);
  await bell.wait();
}

async function* busy(): AsyncGenerator<string> {
  while (true) yield "a line of output";
}

Deno.test("a stream keeps nothing that it has sent, however long another source is quiet", async () => {
  const leaving = new AbortController();
  const texts = keepAlive(merge([busy(), quiet(leaving.signal)]), ".");
  assert.ok(await heapPerCall(20_000, () => texts.next()) < BYTES_MAX);
  leaving.abort();
  await texts.return(undefined);
});

Deno.test("a quiet stream keeps nothing of each time it said that it is still there", async () => {
  const leaving = new AbortController();
  const texts = keepAlive(quiet(leaving.signal), ".", 0);
  assert.ok(await heapPerCall(1_000, () => texts.next()) < BYTES_MAX);
  leaving.abort();
  await texts.return(undefined);
});

Deno.test("operations that end with the server leave nothing behind on its signal", async () => {
  const closing = new AbortController();
  const left = await heapPerCall(20_000, async () => {
    const { signal, release } = linkedAbort(closing.signal);
    await unlessAborted(Promise.resolve(), signal);
    release();
  });
  assert.ok(left < BYTES_MAX, `${left} bytes each`);
});

Deno.test("looking at the store again and again keeps nothing", async () => {
  await using world = await newWorld();
  let looks = 0;
  const { get } = world.kv;
  world.kv.get = (...args) => (looks++, get.apply(world.kv, args)) as never;
  const watch = watchStore(world.deps, { lookMs: 0, lateMs: 10_000 });
  await until(() => looks > 300);
  const [before, from] = [heapInUse(), looks];
  await until(() => looks > from + 1_000);
  const left = (heapInUse() - before) / (looks - from);
  await watch.stop();
  assert.ok(left < 400, `${left} bytes each`);
});
