import assert from "node:assert/strict";
import { startJobs } from "@/lib/jobs/engine.ts";
import { autorunWorker } from "@/lib/queue/start/autorun.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { until } from "@/tests/support/basics/until.ts";
import { startSchedules } from "@/tests/support/world/schedules.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Stores keys as Alice. Each makes an event, a second apart. */
async function storeKeys(world: World, ...names: string[]) {
  for (const name of names) {
    world.clock.advance(1000);
    const path = `/api/project/${world.web.id}/keys`;
    const { status } = await world.api("alice", "POST", path, { name, type: "none" });
    assert.equal(status, 201);
  }
}

type Named = { object_name: string };
const namesOf = (events: Named[]) => events.map(({ object_name }) => object_name);

Deno.test("a project's events say who did what, latest first", async () => {
  await using world = await newWorld();
  await storeKeys(world, "Git", "Vault");
  const { status, body } = await world.api("carol", "GET", `/api/project/${world.web.id}/events`);
  assert.equal(status, 200);
  const { id, ...newest } = body[0];
  assert.equal(typeof id, "string");
  assert.deepEqual({ ...newest, object_id: 0 }, {
    user_id: world.people.alice.id,
    username: "alice",
    project_id: world.web.id,
    project_name: "Web shop",
    integration_id: null,
    object_id: 0,
    object_type: "key",
    object_name: "Vault",
    action: "created",
    description: 'Key "Vault" was created',
    created: world.clock.now().toISOString(),
    changes: null,
    changes_left: 0,
    address: null,
    user_agent: null,
  });
  assert.deepEqual(namesOf(body), ["Vault", "Git", "Web shop"]);
});

Deno.test("events come in pages, and a header says whether there are more", async () => {
  await using world = await newWorld();
  await storeKeys(world, "a", "b", "c");
  const path = `/api/project/${world.web.id}/events`;
  const first = await world.api("bob", "GET", `${path}?count=2`);
  assert.deepEqual(namesOf(first.body), ["c", "b"]);
  assert.equal(first.headers.get("X-Has-Next"), "true");
  const next = await world.api("bob", "GET", `${path}/last?limit=2&before=${first.body[1].id}`);
  assert.deepEqual(namesOf(next.body), ["a", "Web shop"]);
  assert.equal(next.headers.get("X-Has-Next"), "false");
});

Deno.test("one's own events are those of one's projects; an admin sees the server's too", async () => {
  await using world = await newWorld();
  await storeKeys(world, "Git");
  world.clock.advance(1000);
  const path = `/api/project/${world.lab.id}/keys`;
  await world.api("dave", "POST", path, { name: "Dave's", type: "none" });
  assert.deepEqual(namesOf((await world.api("bob", "GET", "/api/events/last")).body), [
    "Git",
    "Web shop",
  ]);
  assert.deepEqual(namesOf((await world.api("dave", "GET", "/api/events")).body), [
    "Dave's",
    "Lab",
  ]);
  const { status } = await world.api("erin", "POST", "/api/users", {
    username: "frank",
    name: "Frank",
    email: "frank@example.com",
    password: "a long enough password",
  });
  assert.equal(status, 201);
  const seen = (await world.api("erin", "GET", "/api/events")).body;
  assert.deepEqual(seen.map(({ object_type }: { object_type: string }) => object_type), ["user"]);
  assert.equal(seen[0].project_id, null);
});

Deno.test("events are for members, and no one can change them", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/events`;
  assert.equal((await world.api("dave", "GET", path)).status, 404);
  assert.equal((await world.api("erin", "GET", path)).status, 200);
  assert.equal((await world.api(null, "GET", path)).status, 401);
  assert.equal((await world.api(null, "GET", "/api/events")).status, 401);
  for (const method of ["POST", "PUT", "DELETE"]) {
    const { status } = await world.api("erin", method, path, {});
    assert.ok(status === 404 || status === 405, `${method}: ${status}`);
  }
});

Deno.test("each row of a task says who started it: a person, a schedule, a webhook, or a build", async () => {
  await using world = await newWorld();
  await using bench = await newRunBench();
  const web = `/api/project/${world.web.id}`;
  const make = async (path: string, body: unknown, status = 201) => {
    const answer = await world.api("alice", "POST", web + path, body);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body;
  };
  const { keyId: ssh_key_id, inventoryId: inventory_id } = world.web;
  const { url: git_url } = bench.repository;
  const source = { name: "Bench", git_url, git_branch: "main", ssh_key_id };
  const repository_id = (await make("/repositories", source)).id;
  const template = { playbook: "site.yml", inventory_id, repository_id };
  const build = { ...template, name: "Build", type: "build", start_version: "1" };
  const { id: template_id } = await make("/templates", build);
  const deploy = { type: "deploy", build_template_id: template_id, autorun: true };
  await make("/templates", { ...template, name: "Deploy", ...deploy });
  const cron = { template_id, name: "Hourly", cron_format: "TZ=UTC @hourly", active: true };
  await make("/schedules", cron);
  const integration = await make("/integrations", { name: "Git push", template_id });
  const { url } = await make(`/integrations/${integration.id}/aliases`, undefined, 200);

  const dispatcher = startDispatcher(world.deps, { environment: bench.environment, shared: false });
  world.deps.wakeDispatcher = dispatcher.wake;
  const autoruns = startJobs(world.deps, [autorunWorker], { shared: false });
  const countEnds = () =>
    world.messages.filter((message) => message.type === "update" && message.end !== null)
      .length;
  const isOver = (count: number) => until(() => countEnds() === count);
  const rowsOf = async (name: string) => {
    const events = (await world.api("carol", "GET", `${web}/events`)).body as TaskEvent[];
    return events.filter(({ object_type, object_name }) =>
      object_type === "task" && object_name === name
    ).slice(0, 4);
  };
  try {
    assert.equal((await world.api("bob", "POST", `${web}/tasks`, { template_id })).status, 201);
    await isOver(2); // including the deploy that follows
    const byBob = await rowsOf("Build");
    assert.deepEqual(byBob.map(({ username }) => username), Array(4).fill("bob"));
    assert.deepEqual(byBob.map(({ user_id }) => user_id), Array(4).fill(world.people.bob.id));
    for (const { description } of byBob) assert.doesNotMatch(description, /\((by|after) /);
    for (const { username, description } of await rowsOf("Deploy")) {
      assert.equal(username, null);
      assert.match(description, / \(after "Build"\)$/);
    }

    assert.equal((await world.request(url, { method: "POST" })).status, 200);
    await isOver(4);
    const byCall = await rowsOf("Build");
    assert.equal(byCall.length, 4);
    for (const { username, description } of byCall) {
      assert.equal(username, null);
      assert.match(description, / \(by integration "Git push"\)$/);
    }

    world.clock.set("2024-05-02T11:00:00Z");
    const scheduler = startSchedules(world.deps);
    await isOver(6);
    await scheduler.stop();
    for (const { description } of await rowsOf("Build")) {
      assert.match(description, / \(by schedule "Hourly"\)$/);
    }
  } finally {
    await autoruns.stop();
    await dispatcher.stop(0);
  }
});

interface TaskEvent {
  object_type: string;
  object_name: string;
  username: string | null;
  user_id: number | null;
  description: string;
}
