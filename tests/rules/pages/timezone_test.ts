import assert from "node:assert/strict";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/**
 * Returns the times on Bob's pages. His account was made at 10:11:12 UTC, and his sessions show
 * when he signed in.
 */
async function timesOf(world: World, cookie = "", part = "security"): Promise<string> {
  const { token } = world.people.bob;
  const headers = { cookie: `callboard=${token}; ${cookie}` };
  return await (await world.request(`/account/${part}`, { headers })).text();
}

const AT_NOON = /title="May 2, 2024, 12:11:12\sPM GMT\+2 · 2024-05-02 10:11:12 UTC"/;
const IN_UTC = /title="May 2, 2024, 10:11:12\sAM UTC"/;

Deno.test("times are in the browser's zone, or in UTC where it is unknown or missing", async () => {
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

Deno.test("a page whose times are not in the browser's zone is loaded again, but never twice", async () => {
  await using world = await newWorld();
  const { token } = world.people.bob;
  const scriptOf = async (cookie: string, init: RequestInit = {}) => {
    const headers = { cookie: `callboard=${token}; ${cookie}`, ...init.headers };
    const html = await (await world.request("/account", { ...init, headers })).text();
    return /document\.cookie="zone.*?<\/script>/.exec(html)?.[0] ?? "";
  };
  assert.match(await scriptOf(""), /\["UTC",""\]\.includes\(.*location\.reload\(\)/);
  assert.match(await scriptOf("zone=Europe%2FBerlin"), /\["Europe%2FBerlin","Europe%2FBerlin"\]/);
  assert.match(await scriptOf("zone=Asia%2FKolkata"), /,"Asia%2FKolkata"\]\.includes/);
  assert.match(await scriptOf("zone=%3C%2Fscript%3E"), /,"%3C%2Fscript%3E"\]\.includes/);
  const sent = { method: "POST", body: "", headers: { "Sec-Fetch-Site": "same-origin" } };
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const refused = await scriptOf("", { ...sent, headers: { ...sent.headers, ...type } });
  assert.match(refused, /document\.cookie/);
  assert.doesNotMatch(refused, /reload/, "a form is not sent again");
  assert.doesNotMatch(await scriptOf("flash=%7B%7D"), /reload/, "a message is shown once");
  await world.post("bob", "/account/appearance", { timezone: "Europe/Berlin" });
  assert.doesNotMatch(await scriptOf(""), /reload/, "the account has a zone");
});

Deno.test("a chosen time zone applies in every browser, until it is left to the browser again", async () => {
  await using world = await newWorld();
  const choose = (timezone: string) => world.post("bob", "/account/appearance", { timezone });
  assert.equal((await choose("Europe/Berlin")).status, 303);
  assert.match(await timesOf(world, "zone=America%2FNew_York"), AT_NOON);
  assert.match(await timesOf(world, "", "appearance"), /<option value="Europe\/Berlin" selected/);
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
