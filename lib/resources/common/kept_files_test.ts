import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { rowKeys } from "../../store/keys.ts";
import { forgetKeptFiles, type Keeper, readKeptFiles, storeKeptFiles } from "./kept_files.ts";

const keeperOf = ({ web }: World, id = web.templateId): Keeper => ({
  projectId: web.id,
  kind: "templates",
  id,
});

async function newKeepingWorld(): Promise<World> {
  const world = await newWorld();
  await setPaths(world, "credentials");
  return world;
}

async function setPaths({ kv, web }: World, keep_paths: string | null) {
  const key = rowKeys.resource("templates", web.id, web.templateId);
  await kv.set(key, { ...(await kv.get<object>(key)).value, keep_paths });
}

const chunksOf = ({ kv, web }: World) =>
  Array.fromAsync(kv.list({ prefix: rowKeys.keptFileChunks(web.id, "templates", web.templateId) }));

async function store(world: World, archive: Uint8Array): Promise<boolean> {
  const { entry } = await readKeptFiles(world.deps, keeperOf(world));
  return await storeKeptFiles(world.deps, keeperOf(world), entry, archive);
}

const read = async (world: World) => (await readKeptFiles(world.deps, keeperOf(world))).archive;

Deno.test("kept files are stored encrypted, and replaced as a whole", async () => {
  await using world = await newKeepingWorld();
  assert.equal(await read(world), null);
  const long = new Uint8Array(randomBytes(100_000));
  assert.ok(await store(world, long));
  assert.deepEqual(await read(world), long);
  const text = "a password that no file of the store has";
  assert.ok(await store(world, new TextEncoder().encode(text)));
  const chunks = await chunksOf(world);
  assert.equal(chunks.length, 1);
  const stored = new TextDecoder().decode(chunks[0].value as Uint8Array);
  for (const form of [text, btoa(text)]) assert.ok(!stored.includes(form));
  assert.equal(new TextDecoder().decode((await read(world))!), text);
});

Deno.test("of two runs that have read the same files, one replaces them", async () => {
  await using world = await newKeepingWorld();
  const { entry } = await readKeptFiles(world.deps, keeperOf(world));
  const stored = await Promise.all(
    [1, 2].map((n) => storeKeptFiles(world.deps, keeperOf(world), entry, new Uint8Array(n))),
  );
  assert.deepEqual(stored.toSorted(), [false, true]);
  assert.equal((await chunksOf(world)).length, 1);
});

Deno.test("a server that dies while it stores files loses none", async () => {
  await using world = await newKeepingWorld();
  await store(world, new Uint8Array([1]));
  const { projectId, kind, id } = keeperOf(world);
  await world.kv.set(
    rowKeys.keptFileChunk(projectId, kind, id, "unfinished", 0),
    new Uint8Array(9),
  );
  assert.deepEqual(await read(world), new Uint8Array([1]));
  await store(world, new Uint8Array([2]));
  assert.equal((await chunksOf(world)).length, 1);
});

Deno.test("a run that ends after the paths were removed stores nothing", async () => {
  await using world = await newKeepingWorld();
  const { entry } = await readKeptFiles(world.deps, keeperOf(world));
  await setPaths(world, null);
  const archive = new Uint8Array([1]);
  assert.equal(await storeKeptFiles(world.deps, keeperOf(world), entry, archive), false);
  assert.deepEqual(await chunksOf(world), []);
});

Deno.test("a template that is gone keeps nothing, and a project has a limit", async () => {
  await using world = await newKeepingWorld();
  await store(world, new Uint8Array([1]));
  const { entry } = await readKeptFiles(world.deps, keeperOf(world, 999));
  assert.equal(
    await storeKeptFiles(world.deps, keeperOf(world, 999), entry, new Uint8Array(1)),
    false,
  );
  const other = rowKeys.keptFiles(world.web.id, "inventories", world.web.inventoryId);
  await world.kv.set(other, { version: "x", chunks: 0, bytes: 64 * 1024 * 1024 });
  assert.equal(await store(world, new Uint8Array([3])), false);
  await forgetKeptFiles(world.kv, keeperOf(world));
  assert.equal(await read(world), null);
  assert.deepEqual(await chunksOf(world), []);
});
