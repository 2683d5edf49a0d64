import assert from "node:assert/strict";
import { accept, invite, invitesOf, roleIn } from "@/tests/support/world/invites.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const ROUNDS = 20;
const DAVE = { email: "dave@example.com" };

Deno.test("of parallel answers to an invitation, one counts", async () => {
  await using world = await newWorld();
  const member = `/api/project/${world.web.id}/users/${world.people.dave.id}`;
  for (let round = 0; round < ROUNDS; round++) {
    const { token } = await invite(world, DAVE);
    const answers = await Promise.all([
      accept(world, "dave", token),
      accept(world, "dave", token),
      accept(world, "dave", token),
    ]);
    // The others find the link used up, or themselves in the team.
    const [won, ...lost] = answers.map(([status]) => status).toSorted();
    assert.equal(won, 200);
    assert.ok(lost.every((status) => status === 404 || status === 409), String(lost));
    const path = `/api/project/${world.web.id}/events?object_type=member&limit=1`;
    assert.equal((await world.api("alice", "GET", path)).body[0].action, "added");
    assert.equal((await world.api("alice", "DELETE", member)).status, 204);
  }
});

Deno.test("an invitation is either accepted or withdrawn, never both", async () => {
  await using world = await newWorld();
  const member = `/api/project/${world.web.id}/users/${world.people.dave.id}`;
  for (let round = 0; round < ROUNDS; round++) {
    const { id, token } = await invite(world, DAVE);
    const [[accepted], { status: withdrawn }] = await Promise.all([
      accept(world, "dave", token),
      world.api("alice", "DELETE", `${invitesOf(world)}/${id}`),
    ]);
    const isMember = await roleIn(world, "dave") !== null;
    assert.deepEqual(
      [accepted, withdrawn, isMember],
      isMember ? [200, 409, true] : [404, 204, false],
    );
    if (isMember) await world.api("alice", "DELETE", member);
  }
});

Deno.test("an invitation is accepted before its inviter loses the right, or not at all", async () => {
  await using world = await newWorld();
  const mike = `/api/project/${world.web.id}/users/${world.people.mike.id}`;
  const member = `/api/project/${world.web.id}/users/${world.people.dave.id}`;
  for (let round = 0; round < ROUNDS; round++) {
    await world.api("alice", "PUT", mike, { role: "owner" });
    const { id, token } = await invite(world, DAVE, "mike");
    const [[accepted]] = await Promise.all([
      accept(world, "dave", token),
      world.api("alice", "PUT", mike, { role: "guest" }),
    ]);
    const isMember = await roleIn(world, "dave") !== null;
    assert.equal(accepted, isMember ? 200 : 403);
    const path = `/api/project/${world.web.id}/events?limit=4`;
    const { body } = await world.api("alice", "GET", path);
    const order = body.map(({ action }: { action: string }) => action);
    if (isMember) assert.ok(order.indexOf("role_changed") < order.indexOf("added"), String(order));
    await world.api("alice", "DELETE", isMember ? member : `${invitesOf(world)}/${id}`);
  }
});

Deno.test("parallel invitations of one person leave one, and keep the limit", async () => {
  await using world = await newWorld();
  const post = (email: string) =>
    world.api("alice", "POST", invitesOf(world), { email, role: "guest" });
  const same = await Promise.all([1, 2, 3, 4].map(() => post("nora@example.com")));
  assert.deepEqual(same.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  for (let n = 0; n < 47; n++) await post(`p${n}@example.com`);
  const last = await Promise.all([1, 2, 3, 4].map((n) => post(`q${n}@example.com`)));
  assert.equal(last.filter(({ status }) => status === 201).length, 2);
});

Deno.test("of two browsers with one link, one sets up the account", async () => {
  await using world = await newWorld();
  for (let round = 0; round < 5; round++) {
    const { token } = await invite(world, { email: `nora${round}@example.com` }, "erin");
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        world.post(null, `/invite/${token}`, { answer: "join", name: `Nora ${n}` })
      ),
    );
    const winners = answers.filter(({ status }) => status === 303);
    assert.equal(winners.length, 1);
    const { body } = await world.api("erin", "GET", "/api/users");
    const named = body.filter(({ email }: { email: string }) => email.startsWith(`nora${round}`));
    assert.equal(named.length, 1);
  }
});
