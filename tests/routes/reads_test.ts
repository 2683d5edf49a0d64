import assert from "node:assert/strict";
import { newWorld, type World } from "../support/world.ts";

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

Deno.test("a small list waits for the store twice: for who asks and may, and for its rows", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}`;
  // The first request reads the names of accounts, which stay known until one changes.
  await world.api("bob", "GET", `${path}/keys`);
  for (const kind of ["keys", "views", "inventory", "repositories", "environment"]) {
    const reads = await readsOf(world, () => world.api("bob", "GET", `${path}/${kind}`));
    assert.deepEqual(reads, ["getMany", "list"], kind);
  }
});

Deno.test("lists that are polled wait for the store twice while nothing changes", async () => {
  await using world = await newWorld();
  for (const path of ["tasks/last", "events/last?limit=200", "templates"]) {
    const ask = () => world.api("bob", "GET", `/api/project/${world.web.id}/${path}`);
    await ask();
    assert.deepEqual(await readsOf(world, ask), ["getMany", "getMany"], path);
  }
});
