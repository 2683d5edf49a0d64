import assert from "node:assert/strict";
import { newWorld, type World } from "@/tests/support/world/world.ts";

interface Audience {
  roles: string[];
  user_ids: number[];
}

const at = ({ web }: World, path: string) => `/api/project/${web.id}${path}`;

/** Returns the rule of the first object of a list that has one. */
async function ruleOf(world: World, projectId: number, list: string) {
  const { body } = await world.api("erin", "GET", `/api/project/${projectId}/${list}`);
  const { visible_to, run_by, edit_by } = body.find((
    one: { visible_to: Audience | null; run_by: Audience | null },
  ) => one.visible_to ?? one.run_by) ?? {};
  return { visible_to, run_by, edit_by };
}

/** Gives the template, a workflow and a view of the web shop the same rule. */
async function ruleAll(world: World, rule: object): Promise<void> {
  const template = at(world, `/templates/${world.deploy.id}`);
  const { body } = await world.api("alice", "GET", template);
  assert.equal((await world.api("alice", "PUT", template, { ...body, ...rule })).status, 204);
  const steps = [{ kind: "template", template_id: world.deploy.id }];
  const workflow = { name: "Release", steps, ...rule };
  assert.equal((await world.api("alice", "POST", at(world, "/workflows"), workflow)).status, 201);
  const view = { title: "Nightly", ...rule };
  assert.equal((await world.api("alice", "POST", at(world, "/views"), view)).status, 201);
}

const restore = (world: World, file: { meta: object }, query = "") =>
  world.api("erin", "POST", `/api/projects/restore${query}`, {
    ...file,
    meta: { ...file.meta, name: "Copy" },
  });

const LISTS = ["templates", "workflows", "views"];

Deno.test("a backup keeps rules, with usernames instead of ids", async () => {
  await using world = await newWorld();
  const { bob } = world.people;
  const rule = {
    visible_to: { roles: ["manager"], user_ids: [bob.id] },
    run_by: { roles: [], user_ids: [bob.id] },
    edit_by: { roles: [], user_ids: [] },
  };
  await ruleAll(world, rule);
  const { body: file } = await world.api("alice", "GET", at(world, "/backup"));
  for (const list of LISTS) {
    assert.deepEqual(file[list][0].visible_to, { roles: ["manager"], users: ["bob"] });
    assert.deepEqual(file[list][0].edit_by, { roles: [], users: [] });
  }
  assert.ok(!JSON.stringify(file).includes("user_ids"));
  const { status, body } = await restore(world, file);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.report.left_out, []);
  for (const list of LISTS) assert.deepEqual(await ruleOf(world, body.id, list), rule, list);
  // The index of rules has them, too: Bob sees nothing more than he should.
  const added = { user_id: world.people.carol.id, role: "guest" };
  const users = `/api/project/${body.id}/users`;
  assert.equal((await world.api("erin", "POST", users, added)).status, 204);
  const seen = await world.api("carol", "GET", `/api/project/${body.id}/templates`);
  assert.deepEqual(seen.body, []);
});

Deno.test("people and roles that are unknown here are named, and let no one else in", async () => {
  await using world = await newWorld();
  await ruleAll(world, { run_by: { roles: [], user_ids: [world.people.bob.id] } });
  const { body: file } = await world.api("alice", "GET", at(world, "/backup"));
  for (const list of LISTS) file[list][0].run_by = { roles: ["janitor"], users: ["zoe"] };
  const { status, body } = await restore(world, file);
  assert.equal(status, 200, JSON.stringify(body));
  const named = body.report.left_out.map(({ name }: { name: string }) => name);
  assert.deepEqual(named, ["zoe", "zoe", "zoe"]);
  assert.match(body.report.left_out[0].reason, /is for "zoe" among others/);
  for (const list of LISTS) {
    const { run_by } = await ruleOf(world, body.id, list);
    assert.deepEqual(run_by, { roles: ["janitor"], user_ids: [] }, list);
  }
  assert.equal((await restore(world, file, "?strict=true")).status, 400);
});

Deno.test("a backup after a person was deleted lets no one else in", async () => {
  await using world = await newWorld();
  const { bob } = world.people;
  await ruleAll(world, { run_by: { roles: [], user_ids: [bob.id] } });
  assert.ok((await world.api("erin", "DELETE", `/api/users/${bob.id}`)).status < 300);
  const { body: file } = await world.api("alice", "GET", at(world, "/backup"));
  for (const list of LISTS) assert.deepEqual(file[list][0].run_by, { roles: [], users: [] });
  const { body } = await restore(world, file);
  for (const list of LISTS) {
    assert.deepEqual((await ruleOf(world, body.id, list)).run_by, { roles: [], user_ids: [] });
  }
});
