import assert from "node:assert/strict";
import { fieldOf, htmlOf, titleOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const teamOf = ({ web }: World) => `/project/${web.id}/team`;
const location = (response: Response) => response.headers.get("location");

async function roles(world: World): Promise<Record<string, string>> {
  const { body } = await world.api("erin", "GET", `/api/project/${world.web.id}/users`);
  return Object.fromEntries(
    body.map(({ username, role }: { username: string; role: string }) => [username, role]),
  );
}

Deno.test("Everyone sees the team; only Alice may change it", async () => {
  await using world = await newWorld();
  const alices = await htmlOf(await world.get("alice", teamOf(world)));
  assert.equal(titleOf(alices), "Team - Web shop - Callboard");
  assert.match(alices, /New team member/);
  assert.match(alices, /aria-label="Role of Bob"/);
  assert.match(alices, /<button[^>]* disabled[^>]*>\s*Leave Project/, "an owner stays");
  for (const person of ["mike", "bob", "carol"] as const) {
    const html = await htmlOf(await world.get(person, teamOf(world)));
    assert.doesNotMatch(html, /New team member|<select/);
    assert.match(html, /Task runner/);
    assert.match(html, new RegExp(`href="${teamOf(world)}/leave"`));
    assert.equal((await world.get(person, `${teamOf(world)}/new`)).status, 403);
    const bob = String(world.people.bob.id);
    const grab = await world.post(person, teamOf(world), { user_id: bob, role: "owner" });
    assert.equal(grab.status, 403);
    assert.equal((await world.post(person, `${teamOf(world)}/${bob}/delete`)).status, 403);
  }
  assert.equal((await world.get("dave", teamOf(world))).status, 404);
});

Deno.test("Alice adds Dave, changes his role, and removes him", async () => {
  await using world = await newWorld();
  const form = await htmlOf(await world.get("alice", `${teamOf(world)}/new`));
  assert.match(form, /dave \(Dave\)/);
  assert.doesNotMatch(form, /bob \(Bob\)/, "members are no choice");
  assert.match(fieldOf(form, "user_id"), / required/);

  const dave = String(world.people.dave.id);
  const added = await world.post("alice", `${teamOf(world)}/new`, { user_id: dave, role: "guest" });
  assert.equal(location(added), teamOf(world));
  assert.equal((await roles(world)).dave, "guest");
  await world.post("alice", teamOf(world), { user_id: dave, role: "manager" });
  assert.equal((await roles(world)).dave, "manager");

  const remove = `${teamOf(world)}/${dave}/delete`;
  assert.match(
    await htmlOf(await world.get("alice", remove)),
    /remove (&quot;|")Dave(&quot;|") from this project/,
  );
  assert.equal(location(await world.post("alice", remove)), teamOf(world));
  assert.equal((await roles(world)).dave, undefined);
});

Deno.test("The last owner stays one, and the page says why", async () => {
  await using world = await newWorld();
  const alice = String(world.people.alice.id);
  const demoted = await world.post("erin", teamOf(world), { user_id: alice, role: "guest" });
  assert.equal(demoted.status, 422);
  assert.match(await htmlOf(demoted), /role="alert"/);
  const removed = await world.post("erin", `${teamOf(world)}/${alice}/delete`);
  assert.equal(removed.status, 422);
  assert.match(await htmlOf(removed), /role="alert"/);
  assert.equal((await roles(world)).alice, "owner");
});

Deno.test("Bob leaves the project after he was asked, and does not see it any more", async () => {
  await using world = await newWorld();
  const leave = `${teamOf(world)}/leave`;
  assert.match(
    await htmlOf(await world.get("bob", leave)),
    /Do you really want to leave (&quot;|")Web shop/,
  );
  assert.equal(location(await world.post("bob", leave)), "/");
  assert.equal((await world.get("bob", teamOf(world))).status, 404);
});
