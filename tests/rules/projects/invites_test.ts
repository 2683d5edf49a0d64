import assert from "node:assert/strict";
import { accept, invite, invitesOf, roleIn } from "@/tests/support/world/invites.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;
const DAVE = { email: "dave@example.com" };

/** Returns the sentences of the latest events about invitations, oldest first. */
async function told(world: World, person: "alice" | "carol" = "alice"): Promise<string[]> {
  const path = `/api/project/${world.web.id}/events?object_type=invite`;
  const { body } = await world.api(person, "GET", path);
  return body.map(({ description }: { description: string }) => description).toReversed();
}

Deno.test("Alice invites Dave by his address, and he accepts once", async () => {
  await using world = await newWorld();
  const made = await invite(world, DAVE);
  assert.equal(made.path, `/invite/${made.token}`);
  const path = `${invitesOf(world)}/${made.id}`;
  const { body: open } = await world.api("alice", "GET", path);
  assert.deepEqual(open, {
    id: made.id,
    project_id: world.web.id,
    email: "dave@example.com",
    user_id: null,
    user_name: null,
    role: "task_runner",
    status: "pending",
    inviter_user_id: world.people.alice.id,
    inviter_name: "Alice",
    inviter_may: true,
    created: "2024-05-02T10:11:12.000Z",
    expires_at: "2024-05-09T10:11:12.000Z",
    accepted_at: null,
  });
  assert.deepEqual((await world.api("alice", "GET", invitesOf(world))).body, [open]);
  assert.deepEqual(await accept(world, "dave", made.token), [200, { project_id: world.web.id }]);
  assert.equal(await roleIn(world, "dave"), "task_runner");
  assert.deepEqual(await accept(world, "dave", made.token), [404, "link_over"]);
  const { body: accepted } = await world.api("alice", "GET", path);
  assert.deepEqual(accepted, {
    ...open,
    status: "accepted",
    accepted_at: "2024-05-02T10:11:12.000Z",
    user_id: world.people.dave.id,
    user_name: "Dave",
  });
  assert.equal((await world.api("alice", "DELETE", path)).status, 409);
  assert.equal(await roleIn(world, "dave"), "task_runner");
});

Deno.test("an account is invited by its id, whatever its address becomes", async () => {
  await using world = await newWorld();
  const { id } = world.people.dave;
  const { token } = await invite(world, { user_id: id, role: "guest" });
  const renamed = { name: "Dave", username: "dave", email: "new@example.com" };
  assert.equal((await world.api("erin", "PUT", `/api/users/${id}`, renamed)).status, 204);
  assert.equal((await accept(world, "dave", token))[0], 200);
  assert.equal(await roleIn(world, "dave"), "guest");
  const events = await told(world);
  assert.deepEqual(events, [
    "dave was invited to the team as Guest",
    "The invitation of dave as Guest was accepted",
  ]);
});

Deno.test("members, and people who are invited already, are not invited again", async () => {
  await using world = await newWorld();
  const post = async (body: object) => {
    const answer = await world.api("alice", "POST", invitesOf(world), { role: "guest", ...body });
    return [answer.status, answer.body.code];
  };
  assert.deepEqual(await post({ email: "BOB@example.com" }), [409, "already_member"]);
  assert.deepEqual(await post({ user_id: world.people.bob.id }), [409, "already_member"]);
  assert.deepEqual(await post({ user_id: 999 }), [404, "unknown_user"]);
  const { token } = await invite(world, DAVE);
  assert.deepEqual(await post({ email: "Dave@Example.com" }), [409, "already_invited"]);
  const user_id = world.people.dave.id;
  await world.api("alice", "POST", `/api/project/${world.web.id}/users`, {
    user_id,
    role: "guest",
  });
  assert.deepEqual(await accept(world, "dave", token), [409, "already_member"]);
  assert.equal(await roleIn(world, "dave"), "guest");
});

Deno.test("an invitation needs one person, a role, and a time in the next 30 days", async () => {
  await using world = await newWorld();
  const at = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString();
  const bad: object[] = [
    {},
    { email: "a@example.com", user_id: 4 },
    { email: "no address" },
    { email: "a@example.com, b@example.com" },
    { email: "a@example.com", role: "king" },
    { email: "a@example.com", expires_at: "soon" },
    { email: "a@example.com", expires_at: at(0) },
    { email: "a@example.com", expires_at: at(30 * DAY_MS + 1) },
  ];
  for (const body of bad) {
    const sent = { role: "guest", ...body };
    const { status } = await world.api("alice", "POST", invitesOf(world), sent);
    assert.equal(status, 400, JSON.stringify(body));
  }
  const last = await invite(world, { email: "a@example.com", expires_at: at(30 * DAY_MS) });
  assert.equal(last.expires_at, at(30 * DAY_MS));
});

Deno.test("an invitation ends in time, and then leaves the list without an event", async () => {
  await using world = await newWorld();
  const expires_at = "2024-05-03T10:11:12Z";
  const { id, token } = await invite(world, { ...DAVE, expires_at });
  world.clock.advance(DAY_MS - 1);
  assert.equal((await world.get("dave", `/invite/${token}`)).status, 200);
  world.clock.advance(1);
  assert.deepEqual(await accept(world, "dave", token), [404, "link_over"]);
  const path = `${invitesOf(world)}/${id}`;
  assert.equal((await world.api("alice", "GET", path)).body.status, "expired");
  // Dave can be invited again, and the expired one can be removed without an event.
  await invite(world, DAVE);
  const before = await told(world);
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
  assert.equal((await world.api("alice", "GET", path)).status, 404);
  assert.equal((await told(world)).length, before.length + 1);
});

Deno.test("a client ends an invitation by its status, and withdraws one by deleting it", async () => {
  await using world = await newWorld();
  const first = await invite(world, DAVE);
  const path = `${invitesOf(world)}/${first.id}`;
  const put = async (status: string) => (await world.api("alice", "PUT", path, { status })).status;
  assert.equal(await put("pending"), 204, "changes nothing");
  assert.equal(await put("accepted"), 400, "only Dave can");
  assert.equal(await put("declined"), 204);
  assert.equal(await put("declined"), 204);
  assert.equal(await put("expired"), 409);
  assert.deepEqual(await accept(world, "dave", first.token), [404, "link_over"]);
  const second = await invite(world, DAVE);
  assert.equal(
    (await world.api("alice", "DELETE", `${invitesOf(world)}/${second.id}`)).status,
    204,
  );
  assert.deepEqual(await accept(world, "dave", second.token), [404, "link_over"]);
  assert.equal(await roleIn(world, "dave"), null);
});

Deno.test("events have the old and the new state, and no address that guests may not see", async () => {
  await using world = await newWorld();
  const { token } = await invite(world, DAVE);
  assert.equal((await world.post(null, `/invite/${token}`, { answer: "decline" })).status, 303);
  const { id } = await invite(world, { ...DAVE, role: "guest" });
  await world.api("alice", "DELETE", `${invitesOf(world)}/${id}`);
  assert.deepEqual(await told(world, "carol"), [
    "d…@example.com was invited to the team as Task runner",
    "The invitation of d…@example.com as Task runner was declined",
    "d…@example.com was invited to the team as Guest",
    "The invitation of d…@example.com as Guest was withdrawn",
  ]);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  const byAction = new Map<string, Record<string, unknown>>(
    body.map(({ action, changes }: { action: string; changes: Record<string, unknown> }) => [
      action,
      changes,
    ]),
  );
  assert.deepEqual(byAction.get("declined"), { status: ["pending", "declined"] });
  assert.deepEqual(byAction.get("withdrawn")?.role, ["guest", null]);
  assert.ok(!JSON.stringify(body).includes("dave@example.com"));
  assert.ok(!JSON.stringify(body).includes(token));
});

Deno.test("a project has 50 open invitations at most, and lists 50 closed ones", async () => {
  await using world = await newWorld();
  const email = (n: number) => ({ email: `person${n}@example.com` });
  const expires_at = "2024-05-03T10:11:12Z";
  for (let n = 0; n < 50; n++) await invite(world, { ...email(n), expires_at });
  const refused = await world.api("alice", "POST", invitesOf(world), {
    ...email(50),
    role: "guest",
  });
  assert.deepEqual([refused.status, refused.body.code], [409, "too_many_invites"]);
  world.clock.advance(DAY_MS);
  for (let n = 50; n < 60; n++) {
    const { id } = await invite(world, email(n));
    await world.api("alice", "PUT", `${invitesOf(world)}/${id}`, { status: "declined" });
  }
  await invite(world, email(60));
  const { body } = await world.api("alice", "GET", invitesOf(world));
  assert.equal(body.length, 51);
  assert.equal(body[0].email, "person10@example.com");
});

Deno.test("a backup of a project and its copy have no invitations", async () => {
  await using world = await newWorld();
  await invite(world, DAVE);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/backup`);
  assert.ok(!JSON.stringify(body).includes("dave@example.com"));
});
