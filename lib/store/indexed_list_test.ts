import assert from "node:assert/strict";
import {
  countBefore,
  type IndexRange,
  rangeAfter,
  readIndices,
  readPositions,
  takeMatching,
} from "./indexed_list.ts";
import { openStore } from "./file/open_store.ts";
import type { Store } from "./store.ts";

const NEWEST = { parts: 1, isReverse: true };
const BY_NAME = { parts: 2, isReverse: false };

async function newStore(...keys: Deno.KvKey[]): Promise<Store> {
  const kv = await openStore(":memory:");
  for (const key of keys) await kv.set(key, true);
  return kv;
}

Deno.test("indices are merged in the order of the list, and a row in two of them is listed once", async () => {
  using kv = await newStore(["a", 1], ["a", 4], ["a", 5], ["b", 2], ["b", 4], ["c", 9]);
  const read = async (range?: IndexRange, limit?: number) => {
    const entries = readIndices(kv, NEWEST, [["a"], ["b"]], { range, limit });
    return await Array.fromAsync(entries, ({ key }) => key.at(-1));
  };
  assert.deepEqual(await read(), [5, 4, 2, 1]);
  assert.deepEqual(await read(rangeAfter(NEWEST, [4])), [2, 1]);
  assert.deepEqual(await read(rangeAfter(NEWEST, null), 3), [5, 4, 2]);
  assert.deepEqual(await read({ start: [2], end: [5] }), [4, 2]);
  assert.deepEqual(await read({ start: [5], end: [2] }), [], "a range that ends before its start");
});

Deno.test("a page begins after its position, in either direction", async () => {
  using kv = await newStore(["a", "x", "h"], ["a", "x", "h\0"], ["a", "x", "i"], ["a", "y", "b"]);
  for (const isReverse of [false, true]) {
    const list = { ...BY_NAME, isReverse };
    const read = async (position: Deno.KvKey | null) => {
      const entries = readIndices(kv, list, [["a"]], { range: rangeAfter(list, position) });
      return await Array.fromAsync(entries, ({ key }) => key.slice(1));
    };
    const all = await read(null);
    assert.equal(all.length, 4);
    for (const [n, position] of all.entries()) {
      assert.deepEqual(await read(position), all.slice(n + 1));
      assert.equal(await countBefore(kv, list, [["a"]], position), n + 1);
    }
    assert.equal(await countBefore(kv, list, [["a"]], null), 0);
  }
});

Deno.test("rows before a page are counted up to a bound, and only in a range", async () => {
  using kv = await newStore();
  for (let from = 0; from < 1_500; from += 500) {
    const op = kv.atomic();
    for (let id = from; id < from + 500; id++) op.set(["a", id], true);
    await op.commit();
  }
  assert.equal(await countBefore(kv, NEWEST, [["a"]], [1_400]), 100);
  assert.equal(await countBefore(kv, NEWEST, [["a"]], [1_400], { end: [1_450] }), 50);
  assert.equal(await countBefore(kv, NEWEST, [["a"]], [1_400], { end: [1_300] }), 0);
  assert.equal(await countBefore(kv, NEWEST, [["a"]], [10]), null);
});

Deno.test("positions are read again after a change of a stamp, and say whether they are all", async () => {
  using kv = await newStore(["a", 1], ["a", 2]);
  const read = (max: number) =>
    readPositions(kv, NEWEST, ["a"], {
      stamps: [["stamp"]],
      max,
      positionOf: (key) => key.at(-1),
    });
  assert.deepEqual(await read(2), { positions: [2, 1], isAll: true });
  await kv.set(["a", 3], true);
  assert.deepEqual(await read(2), { positions: [2, 1], isAll: true });
  await kv.set(["stamp"], 1);
  assert.deepEqual(await read(2), { positions: [3, 2], isAll: false });
});

Deno.test("batches are read until a page is full", async () => {
  let batches = 0;
  async function* rows() {
    for (; batches < 9; batches++) yield await Promise.resolve([1, 2, 3]);
  }
  const odd = (batch: number[]) => batch.filter((n) => n % 2 === 1);
  assert.deepEqual(await takeMatching(rows(), 3, odd), { rows: [1, 3, 1], hasNext: true });
  assert.equal(batches, 1);
  assert.deepEqual(await takeMatching(rows(), 99, odd), {
    rows: Array.from({ length: 8 }, () => [1, 3]).flat(),
    hasNext: false,
  });
});
