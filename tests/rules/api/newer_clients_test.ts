import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { reportedTask } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

Deno.test("members whose ignoring would mislead are refused, and blank ones are not", async () => {
  await using world = await newWorld();
  const templates = `/api/project/${world.web.id}/templates`;
  const runners = `/api/project/${world.web.id}/runners`;
  const template = templateForm(world);
  const refused: [path: string, body: object, field: string, value: unknown, blank: unknown[]][] = [
    [templates, template, "executor_image", "quay.io/ee:1", ["", null]],
    [templates, template, "limit", "web1", ["", null, []]],
    [templates, template, "limit", ["web1"], []],
    [templates, template, "runner_tags", ["dmz"], [[], null]],
    [templates, template, "runner_tag_match_mode", "any", ["", "all", null]],
    [runners, {}, "registration_policy", "secure", ["", "standard", null]],
    // An empty list would allow nothing, which no one means.
    ["/api/user/tokens", {}, "scopes", "read", []],
    ["/api/user/tokens", {}, "scopes", [], []],
    ["/api/user/tokens", {}, "project_ids", [], []],
    ["/api/user/tokens", {}, "read_only", true, [false, null]],
    ["/api/user/tokens", {}, "project_id", world.web.id, [0, null, ""]],
  ];
  for (const [path, body, field, value, blanks] of refused) {
    const { status, body: answer } = await world.api("alice", "POST", path, {
      ...body,
      [field]: value,
    });
    assert.deepEqual([status, Object.keys(answer.fields)], [400, [field]]);
    for (const blank of blanks) {
      const name = `${field} ${JSON.stringify(blank)}`;
      const sent = { ...body, name, [field]: blank };
      const taken = await world.api("alice", "POST", path, sent);
      assert.equal(taken.status, 201, `${name}: ${JSON.stringify(taken.body)}`);
      assert.ok(!(field in taken.body), name);
    }
  }
});

Deno.test("a task of Terraform is not run as one of Ansible", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/tasks`;
  const start = (params: object) =>
    world.api("bob", "POST", path, { template_id: world.deploy.id, params });
  for (const params of [{ plan: true }, { destroy: true }]) {
    const { status, body } = await start(params);
    assert.deepEqual([status, body.error.includes("only Ansible")], [400, true]);
  }
  const usual = { plan: false, destroy: false, auto_approve: false, debug: true };
  assert.equal((await start(usual)).status, 201);
});

Deno.test("the server says how people sign in, and which git it runs", async () => {
  await using world = await newWorld();
  const { body } = await world.api("bob", "GET", "/api/info");
  assert.deepEqual([body.login_with_password, body.auth_methods, body.git_client], [
    true,
    {},
    "cmd_git",
  ]);
});

Deno.test("people note options for their clients, which no one else reads", async () => {
  await using world = await newWorld();
  const path = "/api/user/options";
  const set = (person: "bob" | "carol", key: string, value: unknown) =>
    world.api(person, "POST", path, { key, value });
  assert.deepEqual((await world.api("bob", "GET", path)).body, {});
  const pinned = { key: "nav.unpinnedItems", value: '["keys"]' };
  const first = await set("bob", pinned.key, pinned.value);
  assert.deepEqual([first.status, first.body], [200, pinned]);
  await Promise.all([1, 2, 3].map((n) => set("bob", `at.once_${n}`, `${n}`)));
  await set("bob", "at.once_1", "again");
  assert.deepEqual((await world.api("bob", "GET", path)).body, {
    "nav.unpinnedItems": '["keys"]',
    "at.once_1": "again",
    "at.once_2": "2",
    "at.once_3": "3",
  });
  assert.deepEqual((await world.api("erin", "GET", path)).body, {});
  for (const key of ["", "__proto__", "a b", "x".repeat(101), "é"]) {
    assert.equal((await set("bob", key, "")).status, 400, key);
  }
  assert.equal((await set("bob", "long", "é".repeat(501))).status, 400);
  assert.equal((await set("bob", "none", null)).status, 400);
  for (let n = 4; n < 50; n++) {
    assert.equal((await set("bob", `n${n}`, "é".repeat(500))).status, 200);
  }
  assert.equal((await set("bob", "one.more", "")).status, 409);
  assert.equal((await set("bob", "n5", "other")).status, 200, "a known one changes");
  const { id } = world.people.bob;
  assert.equal((await world.api("erin", "DELETE", `/api/users/${id}`)).status, 204);
  assert.equal((await world.kv.get(rowKeys.userOptions(id))).value, null);
});

Deno.test("the description of a template changes alone", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const before = (await world.api("mike", "GET", path)).body;
  const put = (description: unknown) =>
    world.api("mike", "PUT", `${path}/description`, { description });
  assert.equal((await put("Restarts the shop")).status, 204);
  const after = (await world.api("mike", "GET", path)).body;
  assert.deepEqual(after, { ...before, description: "Restarts the shop" });
  assert.equal((await put("x".repeat(10_001))).status, 400);
  assert.equal((await put(null)).status, 204);
  const events = `/api/project/${world.web.id}/events`;
  const [{ changes }] = (await world.api("mike", "GET", events)).body;
  assert.deepEqual(Object.keys(changes), ["description"]);
  const foreign = `/api/project/${world.lab.id}/templates/${world.deploy.id}/description`;
  assert.equal((await world.api("erin", "PUT", foreign, {})).status, 404);
});

/** Writes what a run leaves in the folders of a project. Returns what is there. */
async function fillCache({ deps: { config: { dataDir } } }: World, projectId: number) {
  const repository = `${dataDir}/repositories/${projectId}/1`;
  const galaxy = `${dataDir}/galaxy/${projectId}`;
  for (
    const folder of [
      `${repository}/a.git/objects`,
      `${galaxy}/${"0123456789abcdef".repeat(2)}/roles`,
    ]
  ) {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${folder}/file`, "x");
  }
  await Deno.writeTextFile(`${repository}/current`, '{"directory":"a.git"}');
  for (const folder of [repository, galaxy]) await Deno.writeTextFile(`${folder}/lock`, "");
  const list = (folder: string) => Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  return async () => [...await list(repository), ...await list(galaxy)].toSorted();
}

Deno.test("Mike clears the copies of a project while no task of it runs", async () => {
  await using world = await newWorld();
  const own = await fillCache(world, world.web.id);
  const other = await fillCache(world, world.lab.id);
  const clear = () => world.api("mike", "DELETE", `/api/project/${world.web.id}/cache`);
  const { end } = await reportedTask(world);
  const busy = await clear();
  assert.equal(busy.status, 409);
  assert.match(busy.body.error, /run/);
  assert.equal((await own()).length, 5);
  await end("success");
  const waiting = { template_id: world.deploy.id };
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, waiting);
  assert.equal((await clear()).status, 204, "a task that waits uses nothing yet");
  assert.deepEqual(await own(), ["lock", "lock", "uses.lock"]);
  assert.equal((await other()).length, 5);
  const events = `/api/project/${world.web.id}/events`;
  assert.match((await world.api("mike", "GET", events)).body[0].description, /were deleted/);
  assert.equal((await clear()).status, 204, "twice");
});

Deno.test("a task has no stages, unless it is of another project", async () => {
  await using world = await newWorld();
  const { id } = await reportedTask(world);
  const stages = (project: number) =>
    world.api("erin", "GET", `/api/project/${project}/tasks/${id}/stages`);
  assert.deepEqual((await stages(world.web.id)).body, []);
  assert.equal((await stages(world.lab.id)).status, 404);
});
