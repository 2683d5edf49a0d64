import assert from "node:assert/strict";
import { serialize } from "node:v8";
import { keyBytes, type LimitName, LIMITS, StoreLimitError, valueBytes } from "./limits.ts";
import { openStore } from "./file/open_store.ts";
import type { Atomic } from "./store.ts";
import { writeAll } from "./rows/write_all.ts";

/** The largest value that Deno KV accepts, and one byte more, in several writings. */
const LARGEST: [string, (bytes: number) => unknown][] = [
  ["bytes", (bytes) => new Uint8Array(bytes)],
  ["Latin letters", (bytes) => "é".repeat(bytes - 6)],
  ["Chinese", (bytes) => "漢".repeat((bytes - 6) / 2)],
  ["emoji", (bytes) => "😀".repeat((bytes - 8) / 4)],
];

/** Commits that reach a limit with `n` rows, and the limit. */
const COMMITS: [LimitName, number, (op: Atomic, n: number) => void][] = [
  ["checks", 10, (op, n) => void op.check({ key: ["row", n], versionstamp: null })],
  ["mutations", 1000, (op, n) => void op.set(["row", n], n)],
  ["commitBytes", 12, (op, n) => void op.set(["row", n], new Uint8Array(64 * 1024))],
  ["commitKeyBytes", 40, (op, n) => void op.delete(["x".repeat(2000), n])],
];

/** Returns the error of `write`; null if it succeeds. */
async function errorOf(write: () => unknown): Promise<unknown> {
  try {
    await write();
    return null;
  } catch (error) {
    return error;
  }
}

Deno.test("the largest value that Deno KV takes is taken, and one byte more is refused by name", async () => {
  using kv = await Deno.openKv(":memory:");
  using store = await openStore(":memory:");
  for (const [name, make] of LARGEST) {
    const value = make(LIMITS.valueBytes);
    assert.equal(await errorOf(() => kv.set(["row"], value)), null, name);
    assert.equal(await errorOf(() => store.set(["row"], value)), null, name);
    const larger = value instanceof Uint8Array
      ? new Uint8Array(LIMITS.valueBytes + 1)
      : `${value}${name === "Chinese" ? "漢" : name === "emoji" ? "😀" : "é"}`;
    assert.ok(await errorOf(() => kv.set(["row"], larger)) instanceof TypeError, name);
    for (
      const write of [() => store.set(["row"], larger), () => store.atomic().set(["row"], larger)]
    ) {
      const error = await errorOf(write);
      assert.ok(error instanceof StoreLimitError, `${name}: ${error}`);
      assert.deepEqual([error.row, error.limit], ["row", "valueBytes"]);
      assert.match(error.message, /^row: 655\d\d exceeds the limit valueBytes of 65536$/);
    }
  }
});

Deno.test("a key that is too long is refused by name, and one that just fits is not", async () => {
  using store = await openStore(":memory:");
  const parts = ["a\0b", new Uint8Array([0, 1]), 1, true];
  const just: Deno.KvKey = [...parts, "x".repeat(LIMITS.keyBytes - keyBytes(parts) - 2)];
  assert.equal(keyBytes(just), LIMITS.keyBytes);
  assert.equal(await errorOf(() => store.set(just, 1)), null);
  using kv = await Deno.openKv(":memory:");
  assert.ok(await errorOf(() => kv.set([...just, false], 1)) instanceof TypeError);
  const error = await errorOf(() => store.atomic().delete([...just, false]));
  assert.ok(error instanceof StoreLimitError && error.limit === "keyBytes");
});

Deno.test("a commit is refused where it becomes too large, and one that just fits is stored", async () => {
  for (const [limit, count, add] of COMMITS) {
    using store = await openStore(":memory:");
    const op = store.atomic();
    for (let n = 0; n < count; n++) add(op, n);
    assert.equal((await op.commit()).ok, true, limit);
    const error = await errorOf(() => {
      for (let n = count; n < count + 2; n++) add(op, n);
    });
    assert.ok(error instanceof StoreLimitError && error.limit === limit, `${limit}: ${error}`);
    assert.ok(op.used > 0.9, limit);
  }
});

Deno.test("many small rows are refused by their bytes, not by an estimate of them", async () => {
  using store = await openStore(":memory:");
  const op = store.atomic();
  for (let n = 0; n < 900; n++) op.set(["row", n], "x".repeat(850));
  assert.equal((await op.commit()).ok, true);
});

Deno.test("no estimate is below what Deno KV measures", () => {
  const values = [
    null,
    "",
    "é漢😀",
    12345678901,
    -1,
    1.5,
    true,
    [],
    [1, "a", null, [undefined]],
    { a: { b: [{ c: "漢".repeat(50) }] }, "ü": -0 },
    new Date(),
    new Map([["a", 1]]),
    12n,
  ];
  for (const value of values) {
    assert.ok(valueBytes(value) >= serialize(value).length, JSON.stringify(String(value)));
  }
});

Deno.test("a long list of changes is written in commits that fit", async () => {
  using store = await openStore(":memory:");
  await writeAll(store, Array(3_000).keys(), (op, n) => op.set(["row", "x".repeat(300), n], n));
  const keys = await Array.fromAsync(store.list({ prefix: ["row"] }), ({ key }) => key.length);
  assert.equal(keys.length, 3_000);
});
