import assert from "node:assert/strict";
import { getUserEntry } from "@/lib/model/accounts.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const teamPath = (world: World, person?: Person) =>
  `/api/project/${world.web.id}/users` + (person ? `/${world.people[person].id}` : "");

Deno.test("every member sees the team, sorted as asked; outsiders see nothing", async () => {
  await using world = await newWorld();
  const { status, body } = await world.api("carol", "GET", teamPath(world));
  assert.equal(status, 200);
  assert.deepEqual(body[0], {
    id: world.people.alice.id,
    username: "alice",
    name: "Alice",
    role: "owner",
  });
  const names = (await world.api("carol", "GET", teamPath(world) + "?sort=role&order=desc")).body
    .map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["Bob", "Alice", "Mike", "Carol"]);
  assert.equal((await world.api("dave", "GET", teamPath(world))).status, 404);
  assert.equal((await world.api("erin", "GET", teamPath(world))).status, 200);
  assert.equal((await world.api(null, "GET", teamPath(world))).status, 401);
});

Deno.test("the account of one member is for people who manage users, and for the member", async () => {
  await using world = await newWorld();
  const bob = await getUserEntry(world.kv, world.people.bob.id);
  const own = { second_factor: true, timezone: "Asia/Tokyo", language: "de" };
  await world.kv.set(bob.key, { ...bob.value, ...own, notify_own: ["failed"] });
  const keysFor = async (reader: Person) =>
    Object.keys((await world.api(reader, "GET", teamPath(world, "bob"))).body).sort();
  const names = ["id", "name", "role", "username"];
  assert.deepEqual(await keysFor("carol"), names);
  const all = [...names, "admin", "alert", "created", "email", "external"].sort();
  assert.deepEqual(await keysFor("alice"), all);
  assert.deepEqual(await keysFor("bob"), all);
  assert.equal((await world.api("alice", "GET", teamPath(world, "dave"))).status, 404);
});

Deno.test("Alice adds Dave by either form, and he sees the project immediately", async () => {
  for (const byPath of [false, true]) {
    await using world = await newWorld();
    const path = byPath ? teamPath(world, "dave") : teamPath(world);
    const user_id = world.people.dave.id;
    const body = { user_id, role: "task_runner", project_id: world.web.id };
    const { status, body: answer } = await world.api("alice", "POST", path, body);
    assert.equal(status, 204);
    assert.equal(answer, null);
    const role = await world.api("dave", "GET", `/api/project/${world.web.id}/role`);
    assert.deepEqual([role.body.role, role.body.permissions], ["task_runner", 1]);
    assert.equal((await world.api("alice", "POST", path, body)).status, 409);
  }
});

Deno.test("the path alone names the new member too; another id in the body is a mistake", async () => {
  await using world = await newWorld();
  const path = teamPath(world, "dave");
  const { status } = await world.api("alice", "POST", path, { user_id: 999, role: "guest" });
  assert.equal(status, 400);
  assert.equal((await world.api("alice", "POST", path, { role: "guest" })).status, 204);
});

Deno.test("an unknown role or user cannot be added", async () => {
  await using world = await newWorld();
  const user_id = world.people.dave.id;
  const role = await world.api("alice", "POST", teamPath(world), { user_id, role: "boss" });
  assert.equal(role.status, 400);
  assert.ok(role.body.fields.role);
  const user = await world.api("alice", "POST", teamPath(world), { user_id: 999, role: "guest" });
  assert.equal(user.status, 404);
  assert.ok(user.body.fields.user_id);
});

Deno.test("only owners and admins change the team", async () => {
  await using world = await newWorld();
  const forms: [string, string, unknown][] = [
    ["POST", teamPath(world), { user_id: world.people.dave.id, role: "guest" }],
    ["PUT", teamPath(world, "carol"), { role: "manager" }],
    ["DELETE", teamPath(world, "carol"), undefined],
  ];
  const expected: [Person | null, number][] = [
    [null, 401],
    ["dave", 404],
    ["carol", 403],
    ["bob", 403],
    ["mike", 403],
  ];
  for (const [person, status] of expected) {
    for (const [method, path, body] of forms) {
      const answer = await world.api(person, method, path, body);
      assert.equal(answer.status, status, `${person} ${method}`);
    }
  }
  for (const [method, path, body] of forms) {
    assert.equal((await world.api("erin", method, path, body)).status, 204, method);
  }
});

Deno.test("a role is changed with the whole member as body, and open sockets hear of it", async () => {
  await using world = await newWorld();
  const bob = (await world.api("alice", "GET", teamPath(world, "bob"))).body;
  const put = await world.api("alice", "PUT", teamPath(world, "bob"), { ...bob, role: "manager" });
  assert.equal(put.status, 204);
  assert.equal((await world.api("bob", "GET", teamPath(world, "bob"))).body.role, "manager");
  assert.deepEqual(world.messages, [
    { type: "access", project_id: world.web.id, user_id: world.people.bob.id },
  ]);
  const dave = await world.api("alice", "PUT", teamPath(world, "dave"), { role: "guest" });
  assert.equal(dave.status, 404);
});

Deno.test("a removed member gets 404 immediately while the session lives on", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  assert.equal((await world.api("bob", "GET", project)).status, 200);
  assert.equal((await world.api("alice", "DELETE", teamPath(world, "bob"))).status, 204);
  assert.equal((await world.api("bob", "GET", project)).status, 404);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
  assert.deepEqual((await world.api("bob", "GET", "/api/projects")).body, []);
  assert.equal(world.messages.at(-1)?.type, "access");
  assert.equal((await world.api("alice", "DELETE", teamPath(world, "bob"))).status, 404);
});

Deno.test("members can leave; an owner cannot", async () => {
  await using world = await newWorld();
  const me = `/api/project/${world.web.id}/me`;
  assert.equal((await world.api("carol", "DELETE", me)).status, 204);
  assert.equal((await world.api("carol", "DELETE", me)).status, 404);
  const alice = await world.api("alice", "DELETE", me);
  assert.equal(alice.status, 400);
  assert.equal(typeof alice.body.error, "string");
  assert.equal((await world.api("alice", "DELETE", teamPath(world, "alice"))).status, 400);
  assert.equal((await world.api("erin", "DELETE", me)).status, 404);
});

Deno.test("the last owner is neither demoted nor removed, not even by an admin", async () => {
  await using world = await newWorld();
  for (const person of ["alice", "erin"] as const) {
    const put = await world.api(person, "PUT", teamPath(world, "alice"), { role: "guest" });
    assert.equal(put.status, 400, person);
    assert.equal((await world.api(person, "DELETE", teamPath(world, "alice"))).status, 400, person);
  }
  assert.equal(
    (await world.api("alice", "PUT", teamPath(world, "mike"), { role: "owner" })).status,
    204,
  );
  assert.equal(
    (await world.api("alice", "PUT", teamPath(world, "alice"), { role: "guest" })).status,
    204,
  );
  assert.equal((await world.api("alice", "DELETE", `/api/project/${world.web.id}/me`)).status, 204);
});

Deno.test("changes in the team are shown in the project's events", async () => {
  await using world = await newWorld();
  const user_id = world.people.dave.id;
  await world.api("alice", "POST", teamPath(world), { user_id, role: "guest" });
  await world.api("alice", "PUT", teamPath(world, "dave"), { role: "manager" });
  await world.api("alice", "DELETE", teamPath(world, "dave"));
  await world.api("carol", "DELETE", `/api/project/${world.web.id}/me`);
  const events = (await world.api("alice", "GET", `/api/project/${world.web.id}/events`)).body;
  const told = events.slice(0, 4).map((event: { description: string }) => event.description);
  assert.deepEqual(told.reverse(), [
    "dave was added to the team as guest",
    "The role of dave was changed to manager",
    "dave was removed from the team",
    "carol left the team",
  ]);
});

Deno.test("one rule for owners: none leaves, and all but the last step down, admins or not", async () => {
  await using world = await newWorld();
  const me = `/api/project/${world.web.id}/me`;
  const own = (person: Person) => teamPath(world, person);
  const owner = { role: "owner" };
  const erin = { user_id: world.people.erin.id, ...owner };
  const add = await world.api("alice", "POST", `/api/project/${world.web.id}/users`, erin);
  assert.equal(add.status, 204);
  for (const person of ["alice", "erin"] as const) {
    for (const path of [me, own(person)]) {
      const { status, body } = await world.api(person, "DELETE", path);
      assert.deepEqual([status, body.error], [
        400,
        "Owners cannot leave the project. Change your role first.",
      ]);
    }
    const shown = await (await world.get(person, `/project/${world.web.id}/team`)).text();
    assert.match(shown, /Owners cannot leave the project. Change your role first/);
  }
  assert.equal((await world.api("erin", "PUT", own("erin"), { role: "guest" })).status, 204);
  assert.equal((await world.api("erin", "DELETE", me)).status, 204);
  for (const [method, path, body] of [["PUT", own("alice"), { role: "guest" }], ["DELETE", me]]) {
    const told = await world.api("alice", String(method), String(path), body);
    assert.equal(told.status, 400);
    assert.match(told.body.error, /last owner/);
  }
  const shown = await (await world.get("alice", `/project/${world.web.id}/team`)).text();
  assert.match(shown, /You are the only owner/);
});
