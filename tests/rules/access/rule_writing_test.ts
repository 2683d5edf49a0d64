import assert from "node:assert/strict";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Person } from "@/tests/support/world/cast.ts";

const NO_ONE = { roles: [], user_ids: [] };
const only = (...roles: string[]) => ({ roles, user_ids: [] });

const webOf = ({ web }: World) => `/api/project/${web.id}`;
const templateOf = (world: World, id = world.deploy.id) => `${webOf(world)}/templates/${id}`;

async function calls(
  world: World,
  who: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<[number, string[]]> {
  const answer = await world.api(who, method, path, body);
  return [answer.status, Object.keys(answer.body?.fields ?? {})];
}

/** Changes some members of an object as Alice. */
async function set(world: World, path: string, members: object): Promise<void> {
  const { body } = await world.api("alice", "GET", path);
  const { status, body: refusal } = await world.api("alice", "PUT", path, { ...body, ...members });
  assert.equal(status, 204, JSON.stringify(refusal));
}

async function idOf(world: World, path: string, body: object): Promise<number> {
  const { status, body: made } = await world.api("alice", "POST", `${webOf(world)}/${path}`, body);
  assert.equal(status, 201, JSON.stringify(made));
  return made.id;
}

Deno.test("a person who may not edit a template changes no part of it, and cannot delete it", async () => {
  for (
    const [rule, status] of [[{ edit_by: NO_ONE }, 403], [{ visible_to: NO_ONE }, 404]] as const
  ) {
    await using world = await newWorld();
    const path = templateOf(world);
    await set(world, path, rule);
    const { body } = await world.api("alice", "GET", path);
    const ways: [string, string, unknown?][] = [
      ["PUT", path, body],
      ["PUT", `${path}/description`, { description: "Mine" }],
      ["DELETE", path],
      ["DELETE", `${path}/drift/web1`],
    ];
    for (const [method, address, sent] of ways) {
      assert.equal((await world.api("mike", method, address, sent)).status, status, address);
    }
    const pages = await world.post("mike", path.replace("/api", "") + "/delete");
    assert.equal(pages.status, status);
    assert.deepEqual((await world.api("alice", "GET", path)).body, body);
  }
});

Deno.test("a person who may not run a template accepts none of its differences", async () => {
  await using world = await newWorld();
  await set(world, templateOf(world), { run_by: NO_ONE });
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const path = `${templateOf(world)}/drift`;
  const accept = { hosts: ["web1"], until, note: "Known" };
  assert.equal((await world.api("bob", "POST", `${path}/accept`, accept)).status, 403);
  assert.equal(
    (await world.api("bob", "POST", `${path}/unaccept`, { hosts: ["web1"] })).status,
    403,
  );
});

Deno.test("a view that one may not edit keeps its title, its place, its rule and itself", async () => {
  await using world = await newWorld();
  const id = await idOf(world, "views", { title: "Nightly", edit_by: NO_ONE });
  const other = await idOf(world, "views", { title: "Weekly" });
  const path = `${webOf(world)}/views/${id}`;
  const { body } = await world.api("alice", "GET", path);
  const positions = `${webOf(world)}/views/positions`;
  assert.deepEqual(await calls(world, "mike", "PUT", path, { ...body, edit_by: null }), [403, []]);
  assert.deepEqual(await calls(world, "mike", "DELETE", path), [403, []]);
  assert.deepEqual(await calls(world, "mike", "POST", positions, { [id]: 5 }), [403, []]);
  // Its position stays, so that others may be moved.
  const moves = { [id]: body.position, [other]: 7 };
  assert.deepEqual(await calls(world, "mike", "POST", positions, moves), [204, []]);
  const page = `/project/${world.web.id}/views`;
  assert.equal((await world.post("mike", page, { [`title.${id}`]: "Mine" })).status, 403);
  assert.equal((await world.post("mike", `${page}/${id}`, { title: "Mine" })).status, 403);
  assert.equal((await world.post("mike", `${page}/${id}/delete`)).status, 403);
  assert.deepEqual((await world.api("alice", "GET", path)).body, body);
  await set(world, path, { visible_to: NO_ONE });
  assert.deepEqual(await calls(world, "mike", "POST", positions, { [id]: 5 }), [404, []]);
});

Deno.test("no one escapes the rule of a view by moving a template out of it, or into another", async () => {
  await using world = await newWorld();
  const locked = await idOf(world, "views", { title: "Locked", edit_by: NO_ONE });
  const hidden = await idOf(world, "views", { title: "Hidden", visible_to: NO_ONE });
  const path = templateOf(world);
  const { body } = await world.api("alice", "GET", path);
  const move = (view_id: number | null) => calls(world, "mike", "PUT", path, { ...body, view_id });
  assert.deepEqual(await move(locked), [400, ["view_id"]]);
  assert.deepEqual(await move(hidden), [404, ["view_id"]]);
  const create = (view_id: number) =>
    calls(world, "mike", "POST", `${webOf(world)}/templates`, { ...body, name: "New", view_id });
  assert.deepEqual(await create(locked), [400, ["view_id"]]);
  assert.deepEqual(await create(hidden), [404, ["view_id"]]);
  await set(world, path, { view_id: locked });
  assert.deepEqual(await move(null), [403, []]);
  const { body: stored } = await world.api("alice", "GET", path);
  assert.equal(stored.view_id, locked);
  // Without a rule about editing, those who edit the template may edit the view as well.
  await set(world, `${webOf(world)}/views/${locked}`, { edit_by: null });
  assert.deepEqual(await move(null), [204, []]);
});

Deno.test("people who set a rule stay within it, and owners need not", async () => {
  await using world = await newWorld();
  const { mike } = world.people;
  const template = templateOf(world);
  const workflow = `${webOf(world)}/workflows/${await idOf(world, "workflows", {
    name: "Release",
    steps: [{ kind: "template", template_id: world.deploy.id }],
  })}`;
  const view = `${webOf(world)}/views/${await idOf(world, "views", { title: "Nightly" })}`;
  // The template is the last one, because a workflow with a hidden step cannot be changed.
  for (const path of [workflow, view, template]) {
    const { body } = await world.api("mike", "GET", path);
    const put = (rule: object) => calls(world, "mike", "PUT", path, { ...body, ...rule });
    assert.deepEqual(await put({ visible_to: only("guest") }), [400, ["visible_to.roles"]]);
    assert.deepEqual(await put({ edit_by: NO_ONE }), [400, ["edit_by.roles"]]);
    assert.deepEqual(await put({ visible_to: { user_ids: [mike.id] } }), [204, []], path);
    assert.deepEqual(await put({ edit_by: only("manager"), run_by: NO_ONE }), [204, []]);
    await set(world, path, { visible_to: NO_ONE, edit_by: NO_ONE, run_by: null });
  }
});

Deno.test("a rule names roles and members of the project, or whom it named before", async () => {
  await using world = await newWorld();
  const { bob, dave } = world.people;
  const path = templateOf(world);
  const { body } = await world.api("alice", "GET", path);
  const put = (rule: object) => calls(world, "alice", "PUT", path, { ...body, ...rule });
  assert.deepEqual(await put({ run_by: only("janitor") }), [400, ["run_by.roles"]]);
  assert.deepEqual(await put({ run_by: { user_ids: [dave.id] } }), [400, ["run_by.user_ids"]]);
  assert.deepEqual(await put({ run_by: { user_ids: [bob.id] } }), [204, []]);
  const member = `${webOf(world)}/users/${bob.id}`;
  assert.deepEqual(await calls(world, "alice", "DELETE", member), [204, []]);
  assert.deepEqual(await put({ run_by: { user_ids: [bob.id] }, name: "Same" }), [204, []]);
  assert.deepEqual(await put({ run_by: null }), [204, []]);
  assert.deepEqual(await put({ run_by: { user_ids: [bob.id] } }), [400, ["run_by.user_ids"]]);
});

Deno.test("a workflow gets no new steps that its editor may not run", async () => {
  await using world = await newWorld();
  const { body: source } = await world.api("alice", "GET", templateOf(world));
  const others = { ...source, name: "Wipe", run_by: only("guest") };
  const wipe = await idOf(world, "templates", others);
  const secret = await idOf(world, "templates", { ...source, name: "S", visible_to: NO_ONE });
  const build = { ...source, type: "build", start_version: "1", visible_to: NO_ONE };
  const hiddenBuild = await idOf(world, "templates", { ...build, name: "B" });
  const step = (template_id: number) => ({ kind: "template", template_id });
  const path = `${webOf(world)}/workflows`;
  const create = (steps: object[], more = {}) =>
    calls(world, "mike", "POST", path, { name: "Mine", steps, ...more });
  assert.deepEqual(await create([step(wipe)]), [400, ["steps.0.template_id"]]);
  assert.deepEqual(await create([step(secret)]), [404, ["steps.0.template_id"]]);
  assert.deepEqual(
    await create([step(world.deploy.id)], { build_template_id: hiddenBuild }),
    [404, ["build_template_id"]],
  );
  const nested = await idOf(world, "workflows", {
    name: "Inner",
    steps: [step(world.deploy.id)],
    run_by: NO_ONE,
  });
  assert.deepEqual(
    await create([{ kind: "workflow", workflow_id: nested }]),
    [400, ["steps.0.workflow_id"]],
  );
  // A step that is there already stays, and starts the same.
  const id = await idOf(world, "workflows", { name: "Old", steps: [step(wipe)] });
  const { body } = await world.api("mike", "GET", `${path}/${id}`);
  const change = (first: object) =>
    calls(world, "mike", "PUT", `${path}/${id}`, {
      name: "Renamed",
      steps: [{ ...body.steps[0], ...first }, step(world.deploy.id)],
    });
  assert.deepEqual(await change({ name: "First" }), [204, []]);
  assert.deepEqual(await change({ params: { limit: "all" } }), [400, ["steps.0.template_id"]]);
});

Deno.test("a rule that changes from everyone to no one is an event with both values", async () => {
  await using world = await newWorld();
  const { bob } = world.people;
  const path = templateOf(world);
  const latest = async () => {
    const { body } = await world.api("alice", "GET", `${webOf(world)}/events?limit=1`);
    return body[0].changes;
  };
  const change = async (run_by: unknown) => {
    world.clock.advance(1_000);
    await set(world, path, { run_by });
    return await latest();
  };
  assert.deepEqual(await change(NO_ONE), { run_by: [null, []] });
  const named = { roles: ["guest"], user_ids: [bob.id] };
  const kept = ["guest", { id: bob.id, name: "Bob" }];
  assert.deepEqual(await change(named), { run_by: [[], kept] });
  const list = await world.api("alice", "GET", `${webOf(world)}/events?limit=1`);
  const page = await world.get("alice", `/project/${world.web.id}/activity/${list.body[0].id}`);
  const text = (await page.text()).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  assert.match(text, /run_by Before Only people who manage the team After Guest, Bob/);
  assert.deepEqual(await change(null), { run_by: [kept, null] });
  assert.deepEqual(await change(null), {});
});
