import assert from "node:assert/strict";
import { plant, PLANTED } from "@/tests/support/world/planted.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const textOf = async (world: World, person: Person, path: string) =>
  await (await world.get(person, path)).text();

/** Checks that an owner finds the planted word at each address, and others nowhere. */
async function expectHidden(world: World, paths: string[], readers: Person[] = ["bob", "mike"]) {
  const told: string[] = [];
  for (const path of paths) {
    // The owner reads first, so that an answer from a cache would tell others.
    if (!(await textOf(world, "alice", path)).includes(PLANTED)) told.push(`alice misses ${path}`);
    for (const reader of readers) {
      const text = await textOf(world, reader, path);
      if (text.includes(PLANTED)) told.push(`${reader} at ${path}: ${around(text)}`);
    }
  }
  assert.deepEqual(told, []);
}

/** Returns the text around the planted word. */
const around = (text: string): string =>
  text.slice(Math.max(0, text.indexOf(PLANTED) - 100), text.indexOf(PLANTED) + 60);

Deno.test("events about hidden things are in no list, page or export", async () => {
  await using world = await newWorld();
  const { template, schedule } = await plant(world);
  const { id } = world.web;
  await expectHidden(world, [
    ...["events", "events/last", "events/last?limit=5", "events.csv", "events.jsonl"]
      .flatMap((path) => [`/api/project/${id}/${path}`, `/api/${path}`]),
    `/project/${id}/activity`,
    `/project/${id}/activity?kind=task`,
    `/project/${id}/activity?kind=template`,
    `/api/project/${id}/events?object_type=template&object_id=${template}`,
    `/api/project/${id}/events?object_type=schedule&object_id=${schedule}`,
  ]);
  const { body: events } = await world.api("alice", "GET", `/api/project/${id}/events`);
  const hidden = events.find(({ object_name }: { object_name: string }) =>
    object_name.includes(PLANTED)
  );
  const page = `/project/${id}/activity/${encodeURIComponent(hidden.id)}`;
  assert.equal((await world.get("alice", page)).status, 200);
  assert.equal((await world.get("mike", page)).status, 404);
  const { body: seen } = await world.api("bob", "GET", `/api/project/${id}/events`);
  assert.ok(seen.length > 0 && seen.length < events.length);
});
