import assert from "node:assert/strict";
import { cachedWhile } from "./cached.ts";
import { openStore } from "./file/open_store.ts";

const STAMP = ["stamp"];

Deno.test("a result is cached until the stamp of its rows changes", async () => {
  using kv = await openStore(":memory:");
  let made = 0;
  const make = () => Promise.resolve(++made);
  const ask = (name = "list") => cachedWhile(kv, [STAMP], name, make);
  assert.deepEqual([await ask(), await ask()], [1, 1]);
  assert.equal(await ask("another list"), 2);
  await kv.set(STAMP, 1);
  assert.deepEqual(await Promise.all([ask(), ask()]), [3, 3], "once for all who ask meanwhile");
  await kv.set(STAMP, 1);
  assert.equal(await ask(), 4, "an equal value moves it, too");
});

Deno.test("a result whose rows change while it is computed is computed once more", async () => {
  using kv = await openStore(":memory:");
  const change = (row: number) => kv.atomic().set(["row"], row).set(STAMP, row).commit();
  await change(1);
  const read = () => cachedWhile(kv, [STAMP], "row", async () => (await kv.get(["row"])).value);
  const first = await cachedWhile(kv, [STAMP], "row", async () => {
    const { value } = await kv.get(["row"]);
    await change(2);
    return value;
  });
  assert.equal(first, 1);
  assert.equal(await read(), 2);
});

Deno.test("a change of any of several stamps counts", async () => {
  using kv = await openStore(":memory:");
  let made = 0;
  const ask = () => cachedWhile(kv, [STAMP, ["other"]], "list", () => Promise.resolve(++made));
  assert.deepEqual([await ask(), await ask()], [1, 1]);
  await kv.set(["other"], 1);
  assert.equal(await ask(), 2);
  await kv.set(STAMP, 1);
  assert.equal(await ask(), 3);
});

Deno.test("a failure is not cached", async () => {
  using kv = await openStore(":memory:");
  const fail = () => Promise.reject(new Error("disk is full"));
  await assert.rejects(() => cachedWhile(kv, [STAMP], "list", fail), /disk is full/);
  assert.equal(await cachedWhile(kv, [STAMP], "list", () => Promise.resolve(1)), 1);
});

Deno.test("the cache of a store is bounded: unused values are dropped, and too long ones are not cached", async () => {
  using kv = await openStore(":memory:");
  const made: Record<string, number> = {};
  const ask = (name: string, length: number) =>
    cachedWhile(kv, [STAMP], name, () => {
      made[name] = (made[name] ?? 0) + 1;
      return Promise.resolve("x".repeat(length));
    });
  await ask("asked for once", 1_000_000);
  for (let n = 0; n < 10; n++) {
    await ask(`list ${n}`, 1_000_000);
    await ask("asked for all the time", 1_000_000);
  }
  assert.equal(made["asked for all the time"], 1);
  await ask("asked for once", 1_000_000);
  assert.equal(made["asked for once"], 2);
  await ask("long", 3_000_000);
  await ask("long", 3_000_000);
  assert.equal(made.long, 2);
  await ask("asked for all the time", 1_000_000);
  assert.equal(made["asked for all the time"], 1, "a value that is too long displaces none");
});

Deno.test("the names of cached values count as well", async () => {
  using kv = await openStore(":memory:");
  let made = 0;
  const ask = (name: string) => cachedWhile(kv, [STAMP], name, () => Promise.resolve(++made));
  await ask("first");
  for (let n = 0; n < 9; n++) await ask(`${n}`.repeat(1_000_000));
  assert.equal(await ask("first"), 11);
});

Deno.test("the length of a map is that of its entries", async () => {
  using kv = await openStore(":memory:");
  let made = 0;
  const ask = (name: string) =>
    cachedWhile(
      kv,
      [STAMP],
      name,
      () => Promise.resolve(new Map([[++made, "x".repeat(1_000_000)]])),
    );
  await ask("first");
  for (let n = 0; n < 9; n++) await ask(`${n}`);
  assert.deepEqual([...(await ask("first")).keys()], [11]);
});
