import assert from "node:assert/strict";
import { allOperations } from "@/lib/web/api/operations.ts";
import { plant, PLANTED } from "@/tests/support/world/planted.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const ID = /\{(\w+)\}/g;

/** Operations about tasks and templates. Those about other things have tests of their own. */
const ABOUT_TASKS = /^\/project\/\{projectId\}\/(tasks|templates|views|stats)/;

const PEOPLE = ["alice", "mike", "bob", "carol"] satisfies Person[];

/** Returns the people besides the owner who find the planted word at an address. */
async function readersOf(world: World, address: string): Promise<Person[]> {
  const found: Person[] = [];
  for (const person of PEOPLE) {
    const text = await (await world.get(person, address)).text();
    // The owner reads first, so that an answer from a cache would tell others.
    if (person !== "alice" && text.includes(PLANTED)) found.push(person);
  }
  return found;
}

Deno.test("no operation answers a word that is planted in a hidden template's tasks", async () => {
  await using world = await newWorld();
  const { template, view, task } = await plant(world);
  const ids: Record<string, number> = {
    projectId: world.web.id,
    templateId: template,
    viewId: view,
    taskId: task,
  };
  const paths = allOperations.filter(({ method, path }) =>
    method === "GET" && ABOUT_TASKS.test(path) &&
    [...path.matchAll(ID)].every(([, name]) => name in ids)
  ).map(({ path }) => `/api${path.replaceAll(ID, (_, name) => String(ids[name]))}`);
  assert.ok(paths.length > 20, `${paths.length} operations`);
  for (const path of paths) assert.deepEqual(await readersOf(world, path), [], path);
});

Deno.test("pages show no word that is planted in a hidden template's tasks", async () => {
  await using world = await newWorld();
  const { template, task } = await plant(world);
  const { id } = world.web;
  for (const person of ["mike", "bob", "carol"] satisfies Person[]) {
    for (const tab of ["", "/results", "/hosts", "/timeline", "/matrix", "/changes"]) {
      const path = `/project/${id}/tasks/${task}${tab}`;
      assert.equal((await world.get(person, path)).status, 404, path);
    }
    const { status } = await world.get(person, `/project/${id}/templates/${template}`);
    assert.equal(status, 404);
  }
  // Pages of older tasks do not show the schedules, which have tests of their own.
  const lists = ["templates", "history?before=100000", "history?before=100000&status=error"];
  for (const list of lists) {
    assert.deepEqual(await readersOf(world, `/project/${id}/${list}`), [], list);
  }
});

Deno.test("lists, counts and statistics leave hidden tasks out", async () => {
  await using world = await newWorld();
  const { template } = await plant(world);
  const project = `/api/project/${world.web.id}`;
  const read = async (person: Person, path: string) =>
    (await world.api(person, "GET", `${project}${path}`)).body;
  const all = await read("alice", "/tasks");
  const seen = await read("bob", "/tasks");
  const hidden = all.filter(({ template_id }: { template_id: number }) => template_id === template);
  assert.ok(hidden.length >= 2);
  assert.equal(seen.length, all.length - hidden.length);
  assert.equal((await read("bob", "/tasks?limit=1")).length, 1);
  const countOf = (days: { count_by_status: Record<string, number> }[]) =>
    days.flatMap(({ count_by_status }) => Object.values(count_by_status))
      .reduce((sum, count) => sum + count, 0);
  const [whole, part] = [await read("alice", "/stats"), await read("bob", "/stats")];
  assert.equal(countOf(whole) - countOf(part), hidden.length);
  for (const path of [`/tasks?template_id=${template}`, `/templates/${template}/tasks`]) {
    assert.equal((await world.api("bob", "GET", `${project}${path}`)).status, 404, path);
  }
});

Deno.test("sockets and streams leave out hidden tasks, and end with the right to see them", async () => {
  await using world = await newWorld();
  const { template } = await plant(world);
  const { id } = world.web;
  const project = `/api/project/${id}`;
  const { body: open } = await world.api("bob", "POST", `${project}/tasks`, {
    template_id: world.deploy.id,
  });
  const stream = await world.get("bob", `${project}/tasks/${open.id}/events`);
  assert.equal(stream.status, 200, await (stream.ok ? "" : stream.text()));
  const path = `${project}/templates/${world.deploy.id}`;
  const { body: before } = await world.api("alice", "GET", path);
  const began = performance.now();
  const change = await world.api("alice", "PUT", path, {
    ...before,
    visible_to: { roles: ["manager"], user_ids: [] },
  });
  assert.equal(change.status, 204, JSON.stringify(change.body));
  await stream.text();
  assert.ok(performance.now() - began < 2_000, "the stream outlives the right");
  assert.equal((await world.get("bob", `${project}/tasks/${open.id}`)).status, 404);
  assert.equal((await world.get("mike", `${project}/tasks/${open.id}`)).status, 200);
  assert.equal((await world.get("mike", `${project}/templates/${template}/tasks`)).status, 404);
});
