import assert from "node:assert/strict";
import { migrate, type Migration } from "./migrations.ts";

/** A migration that writes down that it ran. */
const step = (name: string): Migration => async (kv) => {
  const { value } = await kv.get<string[]>(["ran"]);
  await kv.set(["ran"], [...(value ?? []), name]);
};

async function ran(kv: Deno.Kv): Promise<string[]> {
  return (await kv.get<string[]>(["ran"])).value ?? [];
}

Deno.test("each migration runs once, in order, and a new store needs none", async () => {
  using kv = await Deno.openKv(":memory:");
  await migrate(kv, []);
  await migrate(kv, [step("one"), step("two")]);
  await migrate(kv, [step("one"), step("two"), step("three")]);
  assert.deepEqual(await ran(kv), ["one", "two", "three"]);

  using fresh = await Deno.openKv(":memory:");
  await migrate(fresh, [step("one")]);
  assert.deepEqual(await ran(fresh), []);
});

Deno.test("a migration that failed is tried again at the next start", async () => {
  using kv = await Deno.openKv(":memory:");
  await migrate(kv, []);
  const failing: Migration = () => Promise.reject(new Error("power cut"));
  await assert.rejects(migrate(kv, [step("one"), failing]), /power cut/);
  await migrate(kv, [step("one"), step("two")]);
  assert.deepEqual(await ran(kv), ["one", "two"]);
});

Deno.test("a store of a later version is refused", async () => {
  using kv = await Deno.openKv(":memory:");
  await migrate(kv, []);
  await migrate(kv, [step("one")]);
  await assert.rejects(migrate(kv, []), /later version/);
});
