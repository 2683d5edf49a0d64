import assert from "node:assert/strict";
import { templateForm } from "@/tests/support/world/forms.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const start = (world: World, person: "alice" | "bob" | "carol" | "dave" | "mike", body: object) =>
  world.api(person, "POST", `/api/project/${world.web.id}/tasks`, body);

/** Creates a template like the world's own, with changes. */
async function template(world: World, change: object): Promise<number> {
  const path = `/api/project/${world.web.id}/templates`;
  const { body } = await world.api("alice", "GET", `${path}/${world.deploy.id}`);
  const made = await world.api("alice", "POST", path, { ...body, id: 0, ...change });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

/** Takes a task to its success without running anything. */
async function succeed(world: World, id: number, hash = "0123456789abcdef") {
  const task = { id, project_id: world.web.id };
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
  await advance(world.kv, task, "success", { commit_hash: hash, commit_message: "Ship it" });
}

Deno.test("Bob starts a task, and it waits in the queue with what he asked for", async () => {
  await using world = await newWorld();
  let woken = 0;
  world.deps.wakeDispatcher = () => void woken++;
  const { status, body } = await start(world, "bob", {
    template_id: world.deploy.id,
    message: "Friday",
    debug: true,
  });
  assert.equal(status, 201);
  assert.equal(body.status, "waiting");
  assert.equal(body.message, "Friday");
  assert.equal(body.debug, true);
  assert.equal(body.user_id, world.people.bob.id);
  assert.equal(body.user_name, world.people.bob.actor.name);
  assert.equal(woken, 1);
  const got = await world.api("carol", "GET", `/api/project/${world.web.id}/tasks/${body.id}`);
  const { reason, ...rest } = got.body;
  assert.deepEqual({ ...rest, reason: null }, body, "a start reads no queue");
  assert.equal(reason.message, "Starts now");
});

Deno.test("Bob starts a task of the template with a name, if only one has it", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { templateId } = world.web;
  const { body: { name } } = await world.api("bob", "GET", `${project}/templates/${templateId}`);
  const start = (body: object) => world.api("bob", "POST", `${project}/tasks`, body);
  for (const sent of [{}, { template_id: 0 }, { template_id: null }, { template_id: templateId }]) {
    const { status, body } = await start({ ...sent, template_name: name, message: "by name" });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.template_id, body.message], [templateId, "by name"]);
  }
  const unknown = await start({ template_name: `${name} ` });
  assert.deepEqual([unknown.status, unknown.body.error], [
    404,
    `This project has no template named "${name} ".`,
  ]);
  const other = await start({ template_id: templateId, template_name: "Other" });
  assert.deepEqual([other.status, Object.keys(other.body.fields)], [400, ["template_name"]]);
  for (const none of [{}, { template_name: "" }, { template_id: 0, template_name: null }]) {
    const { status, body } = await start(none);
    assert.deepEqual([status, Object.keys(body.fields)], [400, ["template_id"]]);
  }
  const twin = await world.api(
    "mike",
    "POST",
    `${project}/templates`,
    templateForm(world, { name }),
  );
  assert.equal(twin.status, 201);
  const ambiguous = await start({ template_name: name });
  assert.equal(ambiguous.status, 409);
  assert.match(ambiguous.body.error, /Several templates/);
  assert.equal((await start({ template_id: templateId, template_name: name })).status, 201);
});

Deno.test("people who may not run tasks start none: guests 403, outsiders 404", async () => {
  await using world = await newWorld();
  const input = { template_id: world.deploy.id };
  assert.equal((await start(world, "carol", input)).status, 403);
  assert.equal((await start(world, "dave", input)).status, 404);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/tasks`);
  assert.deepEqual(body, []);
});

Deno.test("another project's template is not found, and no task is left behind", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.lab.id}/tasks`;
  const answer = await world.api("dave", "POST", path, { template_id: world.deploy.id });
  assert.equal(answer.status, 404);
  assert.deepEqual((await world.api("dave", "GET", path)).body, []);
});

Deno.test("survey answers are checked, each with a sentence at its field", async () => {
  await using world = await newWorld();
  const template_id = await template(world, {
    survey_vars: [
      { name: "host", title: "Host", required: true, type: "" },
      { name: "count", title: "Count", required: false, type: "int" },
      {
        name: "region",
        title: "Region",
        type: "enum",
        values: [{ name: "Europe", value: "eu" }],
        default_value: "eu",
      },
      { name: "token", title: "Token", type: "secret" },
    ],
  });
  const bad = await start(world, "bob", {
    template_id,
    environment: JSON.stringify({ count: "many", region: "mars", other: 1 }),
  });
  assert.equal(bad.status, 400);
  assert.deepEqual(Object.keys(bad.body.fields).toSorted(), ["count", "host", "other", "region"]);
  assert.equal(bad.body.fields.host, "Host is required");

  const good = await start(world, "bob", {
    template_id,
    environment: JSON.stringify({ host: "web1", count: "3" }),
    secret: JSON.stringify({ token: "s3cret-answer" }),
  });
  assert.equal(good.status, 201);
  assert.deepEqual(JSON.parse(good.body.environment), { host: "web1", count: 3, region: "eu" });
  assert.equal(JSON.stringify(good.body).includes("s3cret-answer"), false);
});

Deno.test("choices that the template does not offer are refused, not ignored", async () => {
  await using world = await newWorld();
  const template_id = await template(world, { task_params: { limit: ["web"] } });
  for (
    const change of [
      { playbook: "other.yml" },
      { git_branch: "evil" },
      { limit: "all" },
      { inventory_id: 999 },
      { skip_tags: "never" },
      { arguments: '["--become"]' },
      { params: { tags: ["x"] } },
    ]
  ) {
    const { status, body } = await start(world, "bob", { template_id, ...change });
    assert.equal(status, 400, JSON.stringify(change));
    const [field, ...others] = Object.keys(body.fields);
    assert.deepEqual(others, []);
    assert.equal(body.error, `The template does not allow tasks to override ${field}.`);
  }
});

Deno.test("choices that the template offers are accepted", async () => {
  await using world = await newWorld();
  const template_id = await template(world, {
    allow_override_args_in_task: true,
    task_params: { allow_override_limit: true, tags: ["deploy"] },
  });
  const { status, body } = await start(world, "bob", {
    template_id,
    arguments: '["--forks","5"]',
    limit: "web1,web2",
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body.params.limit, ["web1", "web2"]);
  assert.deepEqual(body.params.tags, [], "the tags are the template's, not the task's own");
  assert.equal(body.arguments, '["--forks","5"]');
});

Deno.test("builds count up their version, and a deploy brings out the latest good one", async () => {
  await using world = await newWorld();
  const build = await template(world, { name: "Build", type: "build", start_version: "1.0.09" });
  const deploy = await template(world, {
    name: "Deploy",
    type: "deploy",
    build_template_id: build,
  });
  assert.equal((await start(world, "bob", { template_id: deploy })).status, 400);

  const first = (await start(world, "bob", { template_id: build })).body;
  const second = (await start(world, "bob", { template_id: build })).body;
  assert.deepEqual([first.version, second.version], ["1.0.09", "1.0.10"]);
  assert.equal(
    (await start(world, "bob", { template_id: deploy, build_task_id: first.id })).status,
    400,
  );
  await succeed(world, first.id);

  const deployed = (await start(world, "bob", { template_id: deploy })).body;
  assert.equal(deployed.version, null);
  assert.equal(deployed.build_task.version, "1.0.09");
  assert.equal(deployed.commit_hash, "0123456789abcdef");
  const builds = await world.api(
    "bob",
    "GET",
    `/api/project/${world.web.id}/templates/${build}/tasks?status=success`,
  );
  assert.deepEqual(builds.body.map(({ id }: { id: number }) => id), [first.id]);
});

Deno.test("two parallel builds never share a version", async () => {
  await using world = await newWorld();
  const build = await template(world, { name: "Build", type: "build", start_version: "0" });
  const started = await Promise.all(
    Array.from({ length: 20 }, () => start(world, "bob", { template_id: build })),
  );
  const versions = started.map(({ body }) => Number(body.version)).toSorted((a, b) => a - b);
  assert.deepEqual(versions, Array.from({ length: 20 }, (_, n) => n));
});

Deno.test("a waiting task that is stopped leaves the queue immediately, and stays stopped", async () => {
  await using world = await newWorld();
  const { body: task } = await start(world, "bob", { template_id: world.deploy.id });
  const path = `/api/project/${world.web.id}/tasks/${task.id}`;
  assert.equal((await world.api("bob", "POST", `${path}/stop`, {})).status, 204);
  const stopped = (await world.api("bob", "GET", path)).body;
  assert.equal(stopped.status, "stopped");
  assert.notEqual(stopped.end, null);
  assert.equal((await world.api("bob", "POST", `${path}/stop`, { force: true })).status, 204);
  assert.deepEqual((await world.api("bob", "GET", path)).body, stopped);
  assert.deepEqual((await world.api("bob", "GET", `${path}/output`)).body, []);
});

Deno.test("a template may ask for a confirmation before its tasks run", async () => {
  await using world = await newWorld();
  const template_id = await template(world, { require_confirmation: true });
  const { body: task } = await start(world, "bob", { template_id });
  assert.equal(task.status, "waiting_confirmation");
  const path = `/api/project/${world.web.id}/tasks/${task.id}`;
  assert.equal((await world.api("carol", "POST", `${path}/confirm`)).status, 403);
  assert.equal((await world.api("bob", "POST", `${path}/confirm`)).status, 204);
  assert.equal((await world.api("bob", "GET", path)).body.status, "confirmed");
  const again = await world.api("bob", "POST", `${path}/confirm`);
  assert.equal(again.status, 409);
  assert.equal(typeof again.body.error, "string");
});

Deno.test("history comes in pages, latest first, and can be filtered", async () => {
  await using world = await newWorld();
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) {
    ids.unshift((await start(world, "bob", { template_id: world.deploy.id })).body.id);
  }
  const path = `/api/project/${world.web.id}/tasks`;
  const first = await world.api("carol", "GET", `${path}?count=2`);
  assert.deepEqual(first.body.map(({ id }: { id: number }) => id), ids.slice(0, 2));
  assert.equal(first.headers.get("X-Has-Next"), "true");
  const rest = await world.api("carol", "GET", `${path}?count=10&before=${ids[1]}`);
  assert.deepEqual(rest.body.map(({ id }: { id: number }) => id), ids.slice(2));
  assert.equal(rest.headers.get("X-Has-Next"), "false");
  await succeed(world, ids[4]);
  const good = await world.api("carol", "GET", `${path}?status=success`);
  assert.deepEqual(good.body.map(({ id }: { id: number }) => id), [ids[4]]);
  assert.equal((await world.api("carol", "GET", `${path}?status=odd`)).status, 400);
});

Deno.test("only an admin deletes a task, and only one that has ended", async () => {
  await using world = await newWorld();
  const { body: task } = await start(world, "bob", { template_id: world.deploy.id });
  const path = `/api/project/${world.web.id}/tasks/${task.id}`;
  assert.equal((await world.api("erin", "DELETE", path)).status, 409);
  await succeed(world, task.id);
  assert.equal((await world.api("alice", "DELETE", path)).status, 403);
  assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  assert.equal((await world.api("erin", "GET", path)).status, 404);
  const shown = await world.api(
    "erin",
    "GET",
    `/api/project/${world.web.id}/templates/${world.deploy.id}`,
  );
  assert.equal(shown.body.last_task, null);
});
