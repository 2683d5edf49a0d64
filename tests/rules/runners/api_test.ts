import assert from "node:assert/strict";
import { advance } from "@/lib/tasks/steps.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { FACTS, newRunner, register, registeredRunner } from "@/tests/support/world/runners.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const SENT = { name: "dmz-1", tags: ["DMZ"], max_parallel_tasks: 2, active: true };

const touch = async (world: World, id: number, session: string) =>
  await touchRunner(world.deps, (await findRunner(world.kv, id))!, session, FACTS);

Deno.test("a runner is created, registered, seen and changed as clients know it", async () => {
  await using world = await newWorld();
  for (const [person, all] of [["erin", ""], ["mike", `/project/${world.web.id}`]] as const) {
    const path = `/api${all}/runners`;
    const made = await world.api(person, "POST", path, SENT);
    assert.equal(made.status, 201);
    const { registration_token, token, private_key, ...shown } = made.body;
    assert.deepEqual([token, private_key], ["", ""]);
    const its = `${path}/${shown.id}`;
    assert.deepEqual((await world.api(person, "GET", its)).body, shown);
    assert.deepEqual([shown.tags, shown.tag, shown.active], [["dmz"], "dmz", true]);
    assert.deepEqual([shown.registered, shown.online, shown.touched], [false, false, null]);
    assert.equal(shown.project_id, all === "" ? null : world.web.id);

    assert.equal((await register(world, registration_token)).status, 201);
    await touch(world, shown.id, crypto.randomUUID());
    const seen = (await world.api(person, "GET", its)).body;
    assert.deepEqual([seen.registered, seen.online, seen.version], [true, true, "1.2.3"]);
    assert.deepEqual([seen.pythons, seen.uv, seen.podman], [["3.9", "3.11"], null, "5.4.2"]);
    assert.equal(seen.touched, world.clock.now().toISOString());
    world.clock.advance(60_001);
    assert.equal((await world.api(person, "GET", its)).body.online, false);

    const put = { ...seen, name: "dmz-2", tags: [], tag: "old", max_parallel_tasks: "3" };
    assert.equal((await world.api(person, "PUT", its, put)).status, 204);
    const changed = (await world.api(person, "GET", its)).body;
    assert.deepEqual([changed.name, changed.tags, changed.max_parallel_tasks], [
      "dmz-2",
      ["old"],
      3,
    ]);
    await world.api(person, "POST", `${its}/active`, { active: false });
    assert.equal((await world.api(person, "GET", its)).body.state, "paused");
    await world.api(person, "POST", `${its}/state`, { state: "draining" });
    await world.api(person, "PUT", its, { ...put, active: false });
    assert.equal((await world.api(person, "GET", its)).body.state, "draining");

    assert.deepEqual((await world.api(person, "GET", path)).body.length, 1);
    assert.deepEqual(
      (await world.api(person, "GET", `/api${all}/runner_tags`)).body,
      [{ tag: "old", number_of_runners: 1 }],
    );
    assert.equal((await world.api(person, "DELETE", its)).status, 204);
    assert.equal((await world.api(person, "GET", its)).status, 404);
  }
});

/** Members that Terraform's provider compares with what it sent. */
const COMPARED = ["name", "webhook", "max_parallel_tasks", "active", "tags", "is_default"];

Deno.test("the runners of Terraform's provider are as it planned them", async () => {
  await using world = await newWorld();
  const { id: projectId } = world.web;
  for (const place of ["", `/project/${projectId}`]) {
    const path = `/api${place}/runners`;
    const owner = place === "" ? {} : { project_id: projectId };
    const call = async (method: string, its: string, body?: unknown, expected = 200) => {
      const answer = await world.api("erin", method, its, body);
      assert.equal(answer.status, expected, `${method} ${its}`);
      return answer.body;
    };
    const compared = (runner: Record<string, unknown>) =>
      Object.fromEntries(COMPARED.map((name) => [name, runner[name]]));

    // The client is in Go. It omits members that are false, zero or empty.
    const full = { name: "Test", max_parallel_tasks: 1, tags: ["linux", "production"], ...owner };
    const made = await call("POST", path, { ...full, active: true }, 201);
    const its = `${path}/${made.id}`;
    const planned = {
      name: "Test",
      webhook: "",
      max_parallel_tasks: 1,
      active: true,
      tags: ["linux", "production"],
      is_default: false,
    };
    assert.deepEqual(compared(made), planned);
    assert.deepEqual(
      [made.registered, made.token, made.private_key, made.project_id],
      [false, "", "", place === "" ? null : projectId],
    );
    assert.deepEqual(compared(await call("GET", its)), planned);

    const change = { ...full, is_default: true, max_parallel_tasks: 4, tags: ["windows"] };
    await call("PUT", its, change, 204);
    const changed = {
      ...planned,
      active: false,
      is_default: true,
      max_parallel_tasks: 4,
      tags: ["windows"],
    };
    assert.deepEqual(compared(await call("GET", its)), changed);
    const [listed] = await call("GET", path);
    assert.deepEqual(compared(listed), changed);
    await call("PUT", its, { tags: null, ...owner }, 204);
    assert.deepEqual(compared(await call("GET", its)), {
      ...changed,
      is_default: false,
      max_parallel_tasks: 0,
      tags: [],
    });

    // A configuration without a name, and one that is not active: the provider calls twice.
    const nameless = await call("POST", path, { tags: null, ...owner }, 201);
    assert.equal(nameless.name, `runner-${nameless.id}`);
    assert.deepEqual([nameless.active, nameless.tags], [true, []]);
    await call("POST", `${path}/${nameless.id}/active`, {}, 204);
    assert.equal((await call("GET", `${path}/${nameless.id}`)).active, false);

    const token = await call("POST", `${its}/registration-token`);
    assert.equal(token.runner_id, made.id);
    assert.equal(token.project_id, made.project_id);
    assert.equal((await register(world, token.registration_token)).status, 201);
    assert.equal((await call("GET", its)).registered, true);

    await call("DELETE", its, undefined, 204);
    await call("DELETE", its, undefined, 404);
    await call("GET", its, undefined, 404);
  }
});

Deno.test("bad values of a runner are refused with a sentence for their field", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/runners`;
  for (
    const [wrong, field] of [
      [{ name: "" }, "name"],
      [{ tags: ["a b!"] }, "tags"],
      [{ max_parallel_tasks: -1 }, "max_parallel_tasks"],
      [{ webhook: "https://hooks.example.com" }, "webhook"],
    ] as const
  ) {
    const { status, body } = await world.api("mike", "POST", path, { ...SENT, ...wrong });
    assert.equal(status, 400, field);
    assert.deepEqual(Object.keys(body.fields), [field]);
  }
  const { status } = await world.api("erin", "POST", "/api/runners", {
    ...SENT,
    project_ids: [9999],
  });
  assert.equal(status, 400);
});

Deno.test("managers of a project see the runners of no other project", async () => {
  await using world = await newWorld();
  const { web, lab } = world;
  const foreign = await newRunnerOfLab(world);
  const server = await newRunner(world, { labels: "all" }, null);
  await newRunner(world, { labels: "other", project_ids: [lab.id] }, null);
  const path = `/api/project/${web.id}`;
  assert.deepEqual((await world.api("mike", "GET", `${path}/runners`)).body, []);
  assert.deepEqual(
    (await world.api("mike", "GET", `${path}/runner_tags`)).body,
    [{ tag: "all", number_of_runners: 1 }],
  );
  for (const id of [foreign.id, server.id]) {
    for (
      const [method, part] of [
        ["GET", ""],
        ["PUT", ""],
        ["DELETE", ""],
        ["POST", "/active"],
        ["POST", "/state"],
        ["POST", "/revoke"],
        ["POST", "/registration-token"],
        ["DELETE", "/cache"],
      ]
    ) {
      const body = method === "GET" ? undefined : { ...SENT, state: "paused" };
      const { status } = await world.api("mike", method, `${path}/runners/${id}${part}`, body);
      assert.equal(status, 404, `${method} ${part}`);
    }
  }
  // Admins manage all of them.
  assert.equal((await world.api("erin", "GET", "/api/runners")).body.length, 3);
  assert.equal((await world.api("erin", "GET", `/api/runners/${foreign.id}`)).status, 200);
});

async function newRunnerOfLab(world: World): Promise<{ id: number }> {
  const path = `/api/project/${world.lab.id}/runners`;
  return (await world.api("dave", "POST", path, { name: "far", tags: ["far"] })).body;
}

Deno.test("a revoked runner must be registered again", async () => {
  await using world = await newWorld();
  const { id, token } = await registeredRunner(world);
  const path = `/api/project/${world.web.id}/runners/${id}`;
  assert.equal((await world.api("mike", "POST", `${path}/revoke`)).status, 204);
  const rotated = await world.request("/api/runner/token", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "X-Callboard-Runner": "1" },
  });
  assert.equal(rotated.status, 401);
  assert.equal((await world.api("mike", "GET", path)).body.registered, false);
  const { body } = await world.api("mike", "POST", `${path}/registration-token`);
  assert.equal(body.token, body.registration_token);
  assert.equal((await register(world, body.token)).status, 201);
});

Deno.test("a reusable token is shown once, creates runners, and can be deleted", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/runner_tokens`;
  const sent = { name: "Image", tags: ["dmz"], max_parallel_tasks: 1, uses_max: 1 };
  const { status, body: { token, ...made } } = await world.api("mike", "POST", path, sent);
  assert.equal(status, 201);
  assert.equal((await register(world, token, "vm-1")).status, 201);
  const [listed] = (await world.api("mike", "GET", path)).body;
  assert.deepEqual(listed, {
    ...made,
    uses: 1,
    ended: true,
    last_used: world.clock.now().toISOString(),
  });
  const [runner] = (await world.api("mike", "GET", `/api/project/${world.web.id}/runners`)).body;
  assert.deepEqual([runner.name, runner.tags, runner.max_parallel_tasks], ["vm-1", ["dmz"], 1]);
  assert.equal((await world.api("dave", "DELETE", `${path}/${made.id}`)).status, 404);
  assert.equal((await world.api("mike", "DELETE", `${path}/${made.id}`)).status, 204);
  assert.deepEqual((await world.api("mike", "GET", path)).body, []);
  const past = { ...sent, expires_at: "2020-01-01T00:00:00Z" };
  assert.equal((await world.api("mike", "POST", path, past)).status, 400);
});

Deno.test("each change of a runner is an event, and no token is in one", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/runners`;
  const { id, registration_token } = (await world.api("mike", "POST", path, SENT)).body;
  await register(world, registration_token);
  await world.api("mike", "PUT", `${path}/${id}`, SENT);
  for (const state of ["paused", "draining", "active"]) {
    await world.api("mike", "POST", `${path}/${id}/state`, { state });
  }
  await world.api("mike", "POST", `${path}/${id}/registration-token`);
  await world.api("mike", "POST", `${path}/${id}/revoke`);
  await world.api("mike", "DELETE", `${path}/${id}`);
  const { body } = await world.api("mike", "GET", `/api/project/${world.web.id}/events`);
  const told = body.filter(({ object_type }: { object_type: string }) => object_type === "runner")
    .map(({ description }: { description: string }) => description);
  assert.deepEqual(told.toReversed(), [
    'Runner "dmz-1" was created',
    'Runner "dmz-1" was registered',
    'Runner "dmz-1" was changed',
    'Runner "dmz-1" was paused',
    'Runner "dmz-1" is draining',
    'Runner "dmz-1" was resumed',
    'A registration token was created for runner "dmz-1"',
    'The token of runner "dmz-1" was revoked',
    'Runner "dmz-1" was deleted',
  ]);
  assert.ok(!JSON.stringify(body).includes("cbo_"));
});

/** Creates a task that a runner has claimed. */
async function claimedTask(world: World, runner: { id: number }, name = "dmz-1"): Promise<number> {
  const { web, deploy, kv } = world;
  const body = { template_id: deploy.id };
  const { id } = (await world.api("bob", "POST", `/api/project/${web.id}/tasks`, body)).body;
  const change = { runner_id: runner.id, runner_name: name };
  await advance(kv, { id, project_id: web.id }, "starting", change);
  return id;
}

Deno.test("the history finds the tasks of a runner, alone and combined", async () => {
  await using world = await newWorld();
  const [one, two] = [await registeredRunner(world), await registeredRunner(world)];
  const claimed = [await claimedTask(world, one), await claimedTask(world, one)];
  await claimedTask(world, two);
  const ended = { id: claimed[0], project_id: world.web.id };
  await advance(world.kv, ended, "error", { end: world.clock.now().toISOString() });
  const path = `/api/project/${world.web.id}/tasks`;
  const found = async (query: string) => {
    const { body } = await world.api("carol", "GET", `${path}?${query}`);
    return body.map(({ id }: { id: number }) => id);
  };
  const its = `runner_id=${one.id}`;
  assert.deepEqual(await found(its), claimed.toReversed());
  assert.deepEqual(await found(`${its}&status=error`), [claimed[0]]);
  assert.deepEqual(await found(`${its}&status=starting`), [claimed[1]]);
  assert.deepEqual(await found(`${its}&user_id=${world.people.bob.id}`), claimed.toReversed());
  assert.deepEqual(await found(`${its}&trigger=schedule`), []);
  assert.deepEqual(await found(`${its}&template_id=${world.deploy.id}`), claimed.toReversed());
  const [task] = (await world.api("carol", "GET", `${path}?${its}`)).body;
  assert.deepEqual([task.runner_id, task.runner_name], [one.id, "dmz-1"]);

  const page = await world.get("carol", `/project/${world.web.id}/history?runner=${one.id}`);
  const html = await page.text();
  assert.ok(html.includes(`/project/${world.web.id}/runners/${one.id}`));
  assert.ok(!html.includes(`/project/${world.web.id}/runners/${two.id}"`));
  await world.api("erin", "DELETE", `${path}/${claimed[0]}`);
  assert.deepEqual(await found(its), [claimed[1]]);
});

Deno.test("a backup has a project's runners without tokens, which are registered anew", async () => {
  await using world = await newWorld();
  const { token } = await registeredRunner(world, { labels: "dmz", description: "Rack 7" });
  const file = (await world.api("alice", "GET", `/api/project/${world.web.id}/backup`)).body;
  assert.ok(!JSON.stringify(file).includes(token));
  const { body } = await world.api("erin", "POST", "/api/projects/restore", file);
  const [copy] = (await world.api("erin", "GET", `/api/project/${body.id}/runners`)).body;
  assert.deepEqual([copy.name, copy.tags, copy.description], ["dmz-1", ["dmz"], "Rack 7"]);
  assert.deepEqual([copy.registered, copy.version], [false, null]);
});
