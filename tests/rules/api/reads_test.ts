import assert from "node:assert/strict";
import { join } from "node:path";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Returns the reads of the store while `ask` runs. */
async function readsOf({ kv }: World, ask: () => Promise<{ status: number }>): Promise<string[]> {
  const reads: string[] = [];
  const { get, getMany, list } = kv;
  kv.get = (...args) => (reads.push("get"), get.apply(kv, args)) as never;
  kv.getMany = (...args) => (reads.push("getMany"), getMany.apply(kv, args)) as never;
  kv.list = (...args) => (reads.push("list"), list.apply(kv, args)) as never;
  try {
    assert.equal((await ask()).status, 200);
  } finally {
    Object.assign(kv, { get, getMany, list });
  }
  return reads;
}

const SMALL = ["keys", "views", "inventory", "repositories", "environment"];

Deno.test("a small list waits for the store twice: for the caller's rights, and for its stamp", async () => {
  await using world = await newWorld();
  for (const kind of SMALL) {
    const ask = () => world.api("bob", "GET", `/api/project/${world.web.id}/${kind}`);
    await ask();
    assert.deepEqual(await readsOf(world, ask), ["getMany", "getMany"], kind);
  }
});

Deno.test("a small list of a store in a file is read only after a commit", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_reads_" });
  {
    await using world = await newWorld({ kvPath: join(home, "callboard.kv") });
    for (const kind of SMALL) {
      const ask = () => world.api("bob", "GET", `/api/project/${world.web.id}/${kind}`);
      await ask();
      assert.deepEqual(await readsOf(world, ask), [], kind);
      await world.kv.set(["other"], kind);
      assert.deepEqual(await readsOf(world, ask), ["getMany", "getMany"], kind);
    }
  }
  await Deno.remove(home, { recursive: true });
});

Deno.test("lists that are polled wait for the store twice while nothing changes", async () => {
  await using world = await newWorld();
  for (const path of ["tasks/last", "events/last?limit=200", "templates"]) {
    const ask = () => world.api("bob", "GET", `/api/project/${world.web.id}/${path}`);
    await ask();
    assert.deepEqual(await readsOf(world, ask), ["getMany", "getMany"], path);
  }
});
