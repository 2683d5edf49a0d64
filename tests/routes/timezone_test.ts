import assert from "node:assert/strict";
import { newWorld, type World } from "../support/world.ts";

/**
 * Returns the times on Bob's pages. His account was made at 10:11:12 UTC, and his sessions show
 * when he signed in.
 */
async function timesOf(world: World, cookie = ""): Promise<string> {
  const { token } = world.people.bob;
  const headers = { cookie: `callboard=${token}; ${cookie}` };
  return await (await world.request("/account", { headers })).text();
}

const AT_NOON = /title="May 2, 2024, 12:11:12\sPM GMT\+2 · 2024-05-02 10:11:12 UTC"/;
const IN_UTC = /title="May 2, 2024, 10:11:12\sAM UTC"/;

Deno.test("times are told in the browser's zone, or in UTC where it is unknown or none", async () => {
  await using world = await newWorld();
  assert.match(await timesOf(world), IN_UTC);
  assert.match(await timesOf(world, "zone=Europe%2FBerlin"), AT_NOON);
  for (const odd of ["Mars/Olympus", "+02:00", "%", "x".repeat(9_000)]) {
    assert.match(await timesOf(world, `zone=${odd}`), IN_UTC);
  }
});

Deno.test("every page has its browser keep the zone, the sign-in page first of all", async () => {
  await using world = await newWorld({ config: { basePath: "/ops" } });
  const response = await world.request("/ops/auth/login");
  const [, nonce] = /'nonce-([^']+)'/.exec(response.headers.get("Content-Security-Policy")!)!;
  const html = await response.text();
  const [, script] = html.split(`<script nonce="${nonce}">`);
  assert.match(script, /^document\.cookie="zone="\+.*";path=\/ops;/);
});

Deno.test("a chosen time zone applies in every browser, until it is left to the browser again", async () => {
  await using world = await newWorld();
  const choose = (timezone: string) => world.post("bob", "/account/timezone", { timezone });
  assert.equal((await choose("Europe/Berlin")).status, 303);
  assert.match(await timesOf(world, "zone=America%2FNew_York"), AT_NOON);
  assert.match(await timesOf(world), /<option value="Europe\/Berlin" selected/);
  for (const odd of ["Mars/Olympus", "+02:00", "x".repeat(9_000)]) {
    const refused = await choose(odd);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /id="field-timezone"[^>]*aria-invalid="true"/);
  }
  const { body } = await world.api("bob", "GET", "/api/user");
  assert.ok(!("timezone" in body), "it is the pages', and no client sends it back");
  const member = await world.api("alice", "GET", `/api/project/${world.web.id}/users/${body.id}`);
  assert.equal(member.body.username, body.username);
  assert.ok(!("timezone" in member.body), "nor does who manages a team it is in");
  await world.api("bob", "PUT", `/api/users/${body.id}`, { ...body, name: "Robert" });
  assert.match(await timesOf(world), AT_NOON, "a client's change of the account leaves it alone");
  await choose("");
  assert.match(await timesOf(world), IN_UTC);
});
