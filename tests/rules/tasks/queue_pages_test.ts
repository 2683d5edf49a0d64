import assert from "node:assert/strict";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Queues a task as Bob and returns its id. */
async function start({ api, web }: World): Promise<number> {
  const form = { template_id: web.templateId };
  return (await api("bob", "POST", `/api/project/${web.id}/tasks`, form)).body.id;
}

const statusOf = async ({ api, web }: World, id: number) =>
  (await api("bob", "GET", `/api/project/${web.id}/tasks/${id}`)).body.status;

Deno.test("Erin sees the waiting tasks of all projects, and stops them; others do not have this page", async () => {
  await using world = await newWorld();
  assert.match(await htmlOf(await world.get("erin", "/queue")), /No running or waiting tasks/);
  const id = await start(world);
  const html = await htmlOf(await world.get("erin", "/queue"));
  const link = `/project/${world.web.id}/templates/${world.web.templateId}?t=${id}`;
  assert.ok(html.includes(`href="${link}"`));
  assert.match(html, /Deploy shop.*data-status="waiting".*Web shop.*bob/);
  const stopped = await world.post("erin", "/queue", { task: String(id) });
  assert.equal(stopped.headers.get("location"), "/queue");
  assert.equal(await statusOf(world, id), "stopped");
  const other = await start(world);
  for (const person of ["alice", "bob", "dave"] as const) {
    assert.equal((await world.get(person, "/queue")).status, 404);
    assert.equal((await world.post(person, "/queue", { task: String(other) })).status, 404);
    assert.doesNotMatch(await htmlOf(await world.get(person, "/account")), /"\/queue"/);
  }
  assert.equal(await statusOf(world, other), "waiting");
  assert.equal((await world.post("erin", "/queue", { task: "x" })).status, 404);
});

Deno.test("Bob stops all tasks of a template together; Carol may not", async () => {
  await using world = await newWorld();
  const page = `/project/${world.web.id}/templates/${world.web.templateId}`;
  const offered = async (person: "bob" | "carol") =>
    (await htmlOf(await world.get(person, page))).includes(`href="${page}/stop"`);
  assert.equal(await offered("bob"), false, "nothing is to be stopped");
  const ids = [await start(world), await start(world)];
  assert.equal(await offered("bob"), true);
  assert.equal(await offered("carol"), false);
  assert.equal((await world.get("carol", `${page}/stop`)).status, 403);
  assert.equal((await world.post("carol", `${page}/stop`)).status, 403);
  assert.match(
    await htmlOf(await world.get("bob", `${page}/stop`)),
    /stop all running and waiting tasks of/,
  );
  const done = await world.post("bob", `${page}/stop`);
  assert.equal(done.headers.get("location"), page);
  for (const id of ids) assert.equal(await statusOf(world, id), "stopped");
});
