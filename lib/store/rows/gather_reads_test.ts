import assert from "node:assert/strict";
import { gatherReads } from "./gather_reads.ts";

const keys = Array.from({ length: 12 }, (_, n): Deno.KvKey => ["row", n]);

Deno.test("reads that begin together share calls, and each gets its own rows", async () => {
  using opened = await Deno.openKv(":memory:");
  for (const key of keys) await opened.set(key, key[1]);
  const calls: number[] = [];
  const kv = gatherReads({
    get: ((key: Deno.KvKey) => (calls.push(1), opened.get(key))) as Deno.Kv["get"],
    getMany: ((some: Deno.KvKey[]) => (calls.push(some.length), opened.getMany(some))) as never,
  });
  const read = await Promise.all([
    ...keys.slice(0, 4).map((key) => kv.get(key)),
    ...[keys.slice(4, 9), keys.slice(9), [["none"]]].map((some) => kv.getMany(some)),
    kv.getMany([]),
  ]);
  assert.deepEqual(read.flat().map(({ value }) => value), [...keys.keys(), null]);
  assert.deepEqual(calls.toSorted(), [0, 4, 9]);
  await kv.get(keys[0]);
  await kv.get(keys[1]);
  assert.deepEqual(calls.slice(3), [1, 1]);
});

Deno.test("a key that cannot be read fails its caller, and no one beside it", async () => {
  using opened = await Deno.openKv(":memory:");
  const kv = gatherReads(opened);
  const reads = [kv.get(keys[0]), kv.get(["x".repeat(3_000)]), kv.getMany(keys.slice(0, 3))];
  const settled = await Promise.allSettled(reads);
  assert.deepEqual(settled.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
});
