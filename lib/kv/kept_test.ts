import assert from "node:assert/strict";
import { keptWhile } from "./kept.ts";
import { openStore } from "./open_store.ts";

const STAMP = ["stamp"];

Deno.test("what was made of rows is kept until their stamp moves", async () => {
  using kv = await openStore(":memory:");
  let made = 0;
  const make = () => Promise.resolve(++made);
  const ask = (name = "list") => keptWhile(kv, STAMP, name, make);
  assert.deepEqual([await ask(), await ask()], [1, 1]);
  assert.equal(await ask("another list"), 2);
  await kv.set(STAMP, 1);
  assert.deepEqual(await Promise.all([ask(), ask()]), [3, 3], "once for all who ask meanwhile");
  await kv.set(STAMP, 1);
  assert.equal(await ask(), 4, "an equal value moves it, too");
});

Deno.test("what changes while it is read is read once more", async () => {
  using kv = await openStore(":memory:");
  const change = (row: number) => kv.atomic().set(["row"], row).set(STAMP, row).commit();
  await change(1);
  const read = () => keptWhile(kv, STAMP, "row", async () => (await kv.get(["row"])).value);
  const first = await keptWhile(kv, STAMP, "row", async () => {
    const { value } = await kv.get(["row"]);
    await change(2);
    return value;
  });
  assert.equal(first, 1);
  assert.equal(await read(), 2);
});

Deno.test("a failure is not kept, and what was not asked for lately goes", async () => {
  using kv = await openStore(":memory:");
  const fail = () => Promise.reject(new Error("disk is full"));
  await assert.rejects(() => keptWhile(kv, STAMP, "list", fail), /disk is full/);
  let made = 0;
  const ask = (name: string) => keptWhile(kv, STAMP, name, () => Promise.resolve(++made));
  assert.equal(await ask("list"), 1);
  for (let n = 0; n < 100; n++) {
    await ask(`list ${n}`);
    await ask("asked for all the time");
  }
  assert.equal(made, 102);
  await ask("list");
  assert.equal(made, 103);
});

Deno.test("what is long is not kept: a few pages must not take the memory of a server", async () => {
  using kv = await openStore(":memory:");
  let made = 0;
  const ask = (length: number) =>
    keptWhile(kv, STAMP, `${length}`, () => Promise.resolve([++made, "x".repeat(length)]));
  for (const length of [1000, 1000, 1_000_000]) await ask(length);
  assert.equal(made, 2);
  for (const length of [1000, 1_000_000]) await ask(length);
  assert.equal(made, 3);
});
