import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../file/open_store.ts";
import { getRecent } from "./recent_rows.ts";
import type { Store } from "../store.ts";

const KEY = ["row"];

async function withFile(work: (path: string, kv: Store) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "callboard_recent_" });
  const path = join(dir, "callboard.kv");
  const kv = await openStore(path);
  try {
    await work(path, kv);
  } finally {
    kv.close();
    await Deno.remove(dir, { recursive: true });
  }
}

const valueOf = async (kv: Store) => (await getRecent<[number]>(kv, [KEY]))[0].value;

Deno.test("rows of a file are read once until something is committed", () =>
  withFile(async (_, kv) => {
    await kv.set(KEY, 1);
    const first = getRecent(kv, [KEY]);
    assert.equal(getRecent(kv, [KEY]), first);
    await kv.set(["other"], 1);
    assert.notEqual(getRecent(kv, [KEY]), first);
  }));

Deno.test("a row is as the latest commit of this server left it", () =>
  withFile(async (_, kv) => {
    for (let n = 1; n <= 200; n++) {
      if (n % 2 === 0) await kv.set(KEY, n);
      else await kv.atomic().set(KEY, n).commit();
      assert.equal(await valueOf(kv), n);
    }
    await kv.delete(KEY);
    assert.equal(await valueOf(kv), null);
  }));

Deno.test("a commit of another connection to the file counts immediately", () =>
  withFile(async (path, kv) => {
    using other = await openStore(path);
    for (let n = 1; n <= 200; n++) {
      await other.set(KEY, n);
      assert.equal(await valueOf(kv), n);
    }
  }));

Deno.test("a commit of another process counts immediately", () =>
  withFile(async (path, kv) => {
    assert.equal(await valueOf(kv), null);
    const program = `const kv = await Deno.openKv(${JSON.stringify(path)});
      await kv.set(${JSON.stringify(KEY)}, 7);
      kv.close();`;
    const args = ["eval", "--unstable-kv", program];
    const { code } = await new Deno.Command(Deno.execPath(), { args }).output();
    assert.equal(code, 0);
    assert.equal(await valueOf(kv), 7);
  }));

Deno.test("a row that changes while it is read is read again", () =>
  withFile(async (_, kv) => {
    await kv.set(KEY, 1);
    const before = valueOf(kv);
    await kv.set(KEY, 2);
    await before;
    assert.equal(await valueOf(kv), 2);
  }));

Deno.test("rows of different keys do not meet", () =>
  withFile(async (_, kv) => {
    await kv.atomic().set(["a", 1], "number").set(["a", "1"], "text").commit();
    const [number] = await getRecent<[string]>(kv, [["a", 1]]);
    const [text] = await getRecent<[string]>(kv, [["a", "1"]]);
    assert.deepEqual([number.value, text.value], ["number", "text"]);
  }));

Deno.test("a store that does not know its version is read each time", async () => {
  using kv = await openStore(":memory:");
  assert.equal(kv.version(), null);
  await kv.set(KEY, 1);
  assert.notEqual(getRecent(kv, [KEY]), getRecent(kv, [KEY]));
  assert.equal(await valueOf(kv), 1);
});
