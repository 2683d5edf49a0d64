import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { rememberedSight, stillMaySee } from "@/lib/access/still_may_see.ts";
import { findRoleUses } from "@/lib/people/roles/uses.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const at = ({ web }: World, path: string) => `/api/project/${web.id}${path}`;

/** Defines a role of the project, gives it to Dave, and returns its slug. */
async function giveDave(world: World, granted: string[], name = "Night shift"): Promise<string> {
  const made = await world.api("alice", "POST", at(world, "/roles"), { name, granted });
  assert.equal(made.status, 201);
  const body = { user_id: world.people.dave.id, role: made.body.slug };
  assert.equal((await world.api("alice", "POST", at(world, "/users"), body)).status, 204);
  return made.body.slug;
}

const statusOf = async (
  world: World,
  person: Person,
  method: string,
  path: string,
  body?: object,
) => (await world.api(person, method as "GET", at(world, path), body)).status;

Deno.test("Alice defines a role, and clients get the mask of the fixed role in it", async () => {
  await using world = await newWorld();
  const granted = ["run_tasks", "see_all_tasks", "read_output"];
  const slug = await giveDave(world, granted);
  assert.equal(slug, "night-shift");
  const { body } = await world.api("carol", "GET", at(world, `/roles/${slug}`));
  const { project_id, ...role } = body;
  assert.equal(project_id, world.web.id);
  assert.deepEqual(role, { slug, name: "Night shift", permissions: 0, granted });
  const own = (await world.api("dave", "GET", at(world, "/role"))).body;
  assert.deepEqual(own, { role: slug, permissions: 0, granted });
  assert.deepEqual((await world.api("bob", "GET", at(world, "/roles/all"))).body.length, 1);
});

Deno.test("a client that knows the fixed roles defines one by their bits", async () => {
  await using world = await newWorld();
  const made = await world.api("alice", "POST", at(world, "/roles"), {
    slug: "ops",
    name: "Ops",
    permissions: 5,
  });
  assert.deepEqual([made.status, made.body.permissions], [201, 5]);
  const change = { name: "Operations", permissions: 5 };
  assert.equal(await statusOf(world, "alice", "PUT", "/roles/ops", change), 204);
  const { body } = await world.api("alice", "GET", at(world, "/roles/ops"));
  assert.deepEqual([body.name, body.granted], ["Operations", made.body.granted]);
});

Deno.test("each permission opens what it names, and nothing else", async () => {
  await using world = await newWorld();
  const key = { name: "New", type: "none" };
  const view = { title: "New", position: 0 };
  const slug = await giveDave(world, ["manage_keys"]);
  assert.equal(await statusOf(world, "dave", "POST", "/keys", key), 201);
  assert.equal(await statusOf(world, "dave", "POST", "/views", view), 403);
  const start = { template_id: world.deploy.id };
  assert.equal(await statusOf(world, "dave", "POST", "/tasks", start), 403);
  const next = { name: "Night shift", granted: ["manage_resources"] };
  assert.equal(await statusOf(world, "alice", "PUT", `/roles/${slug}`, next), 204);
  assert.equal(await statusOf(world, "dave", "POST", "/keys", key), 403);
  assert.equal(await statusOf(world, "dave", "POST", "/views", view), 201);
});

Deno.test("a person without the permission to read output gets none, and stops only own tasks", async () => {
  await using world = await newWorld();
  await giveDave(world, ["run_tasks", "see_all_tasks"]);
  const start = { template_id: world.deploy.id };
  const mine = (await world.api("dave", "POST", at(world, "/tasks"), start)).body.id;
  const other = (await world.api("bob", "POST", at(world, "/tasks"), start)).body.id;
  for (const path of ["output", "raw_output", "search?q=a"]) {
    assert.equal(await statusOf(world, "dave", "GET", `/tasks/${other}/${path}`), 403);
  }
  assert.equal(await statusOf(world, "dave", "GET", `/tasks/${other}`), 200);
  assert.equal(await statusOf(world, "dave", "POST", `/tasks/${other}/stop`, {}), 403);
  assert.equal(await statusOf(world, "dave", "POST", `/tasks/${mine}/stop`, {}), 204);
  const limited = { ...start, limit: "web1" };
  assert.equal(await statusOf(world, "dave", "POST", "/tasks", limited), 400);
  assert.equal(await statusOf(world, "bob", "POST", "/tasks", limited), 201);
});

Deno.test("members give, take and define only roles within their own rights", async () => {
  await using world = await newWorld();
  const slug = await giveDave(world, ["run_tasks", "manage_users"], "People");
  const give = (role: string) =>
    statusOf(world, "dave", "PUT", `/users/${world.people.carol.id}`, { role });
  assert.equal(await give("manager"), 403);
  assert.equal(await give("guest"), 403); // Carol is a guest, who sees what Dave does not.
  const more = { name: "More", granted: ["manage_keys"] };
  assert.equal(await statusOf(world, "dave", "POST", "/roles", more), 403);
  assert.equal(await statusOf(world, "dave", "PUT", `/roles/${slug}`, more), 403);
  const less = { name: "Less", granted: ["run_tasks"] };
  assert.equal(await statusOf(world, "dave", "POST", "/roles", less), 201);
  assert.equal(
    await statusOf(world, "dave", "DELETE", `/users/${world.people.alice.id}`),
    403,
  );
  for (const person of ["mike", "bob", "carol"] as const) {
    assert.equal(await statusOf(world, person, "POST", "/roles", less), 403);
  }
  assert.equal(await statusOf(world, "bob", "PUT", "/users/1", { role: "no-such" }), 403);
  assert.equal(
    await statusOf(world, "alice", "PUT", `/users/${world.people.carol.id}`, {
      role: "no-such",
    }),
    400,
  );
});

Deno.test("a role is deleted only when it is not in use", async () => {
  await using world = await newWorld();
  const slug = await giveDave(world, ["run_tasks"]);
  const refused = await world.api("alice", "DELETE", at(world, `/roles/${slug}`));
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /Dave/);
  const dave = `/users/${world.people.dave.id}`;
  assert.equal(await statusOf(world, "alice", "PUT", dave, { role: "guest" }), 204);
  assert.equal(await statusOf(world, "alice", "DELETE", `/roles/${slug}`), 204);
  assert.equal(await statusOf(world, "alice", "GET", `/roles/${slug}`), 404);
});

Deno.test("a role of the server is for members of all projects, and admins define it", async () => {
  await using world = await newWorld();
  const form = { slug: "auditor", name: "Auditor", granted: ["read_output", "see_all_tasks"] };
  assert.equal((await world.api("alice", "POST", "/api/roles", form)).status, 403);
  assert.equal((await world.api("erin", "POST", "/api/roles", form)).status, 201);
  assert.equal(await statusOf(world, "alice", "POST", "/roles", form), 400);
  const member = { user_id: world.people.dave.id, role: "auditor" };
  assert.equal(await statusOf(world, "alice", "POST", "/users", member), 204);
  assert.equal((await world.api("dave", "GET", at(world, "/role"))).body.role, "auditor");
  assert.equal((await world.api("erin", "DELETE", "/api/roles/auditor")).status, 409);
});

Deno.test("an event has the old and the new permissions of a role", async () => {
  await using world = await newWorld();
  const slug = await giveDave(world, ["run_tasks"]);
  const next = { name: "Night shift", granted: ["run_tasks", "read_output"] };
  await world.api("alice", "PUT", at(world, `/roles/${slug}`), next);
  const { body: [event] } = await world.api("alice", "GET", at(world, "/events?object_type=role"));
  assert.equal(event.action, "updated");
  assert.match(JSON.stringify(event.changes), /read_output/);
});

Deno.test("a role that is given while it is deleted is either given or gone", async () => {
  for (let n = 0; n < 20; n++) {
    await using world = await newWorld();
    const { kv, web, people } = world;
    const { body } = await world.api("alice", "POST", at(world, "/roles"), { name: "Shift" });
    const member = { user_id: people.dave.id, role: body.slug };
    const [given, deleted] = await Promise.all([
      statusOf(world, "alice", "POST", "/users", member),
      statusOf(world, "alice", "DELETE", `/roles/${body.slug}`),
    ]);
    const uses = await findRoleUses({ kv, fileRules: [] }, web.id, body.slug);
    assert.deepEqual(uses.members.length, given === 204 ? 1 : 0);
    assert.deepEqual([given, deleted], given === 204 ? [204, 409] : [400, 204]);
  }
});

Deno.test("a change of a role holds immediately for those who follow output", async () => {
  await using world = await newWorld();
  const slug = await giveDave(world, ["see_all_tasks", "read_output"]);
  const { deps, people, web } = world;
  const scope = await openProject({ deps, actor: people.dave.actor }, web.id, "read_output");
  const sight = rememberedSight(scope);
  const heard: string[] = [];
  using _ = unsubscribing(deps.live.subscribe(({ type }) => {
    heard.push(type);
    if (type === "access") sight.forget();
  }));
  assert.deepEqual([await sight.maySee(), await stillMaySee(scope, "read_output")], [true, true]);
  const next = { name: "Night shift", granted: [] };
  assert.equal(await statusOf(world, "alice", "PUT", `/roles/${slug}`, next), 204);
  assert.ok(heard.includes("access"));
  assert.deepEqual([await sight.maySee(), await stillMaySee(scope, "read_output")], [false, false]);
});

const unsubscribing = (unsubscribe: () => void) => ({ [Symbol.dispose]: unsubscribe });
