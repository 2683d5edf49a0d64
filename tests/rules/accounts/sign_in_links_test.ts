import { openAccount } from "@/lib/access/scope.ts";
import { makeSignInLink, readOpenLinks } from "@/lib/people/sign_in_links/service.ts";
import { operatorScope } from "@/lib/people/accounts/operator.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { UserRow } from "@/lib/model/account_row.ts";
import assert from "node:assert/strict";
import { enrol } from "@/tests/support/world/factors.ts";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import { newBrowser } from "@/tests/support/world/sign_in.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const linkOf = async ({ deps, people }: World, options?: { setsPassword: boolean }) =>
  (await makeSignInLink(openAccount(operatorScope(deps), people.bob.id), options)).token;

const passwordLink = async (world: World) =>
  `/auth/link/${await linkOf(world, { setsPassword: true })}`;

const NEW = { password: "a new password" };

const signIn = async (world: World, password: string) =>
  (await world.request("/api/auth/login", {
    method: "POST",
    body: JSON.stringify({ auth: "bob", password }),
  })).status;

Deno.test("a link of the operator signs in once, also where passwords are off", async () => {
  await using world = await newWorld({ config: { passwordSignIn: false } });
  const path = `/auth/link/${await linkOf(world)}`;
  // Programs that preview links in messages do not use them up.
  for (let n = 0; n < 2; n++) {
    const page = await world.get(null, path);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.match(await page.text(), /Sign in as bob/);
  }
  const used = await world.post(null, path);
  assert.deepEqual([used.status, used.headers.get("location")], [303, "/account/security"]);
  const Cookie = `callboard=${cookiesOf(used).callboard}`;
  assert.equal((await world.request("/account", { headers: { Cookie } })).status, 200);
  assert.equal((await world.post(null, path)).status, 404);
  assert.equal((await world.get(null, path)).status, 404);
  const { body } = await world.api("erin", "GET", "/api/events");
  assert.equal(body[1].description, 'A one-time sign-in link was created for user "bob"');
});

Deno.test("a link is good for a quarter of an hour, and one that is made up for nothing", async () => {
  await using world = await newWorld();
  const path = `/auth/link/${await linkOf(world)}`;
  world.clock.advance(15 * 60_000);
  assert.equal((await world.post(null, path)).status, 404);
  assert.equal((await world.get(null, "/auth/link/x.1")).status, 404);
  const link = await linkOf(world);
  const posts = await Promise.all(
    Array.from({ length: 8 }, () => world.post(null, `/auth/link/${link}`)),
  );
  assert.equal(posts.filter(({ status }) => status === 303).length, 1);
});

Deno.test("people with a second factor are asked for a code after a link as well", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browser = newBrowser(world);
  const used = await browser.post(`/auth/link/${await linkOf(world)}`, {});
  assert.equal(used.headers.get("location"), "/auth/code?next=%2Faccount%2Fsecurity");
  assert.ok(!browser.cookies.callboard);
  const answer = await browser.post("/auth/code?next=%2Faccount%2Fsecurity", { code: code() });
  assert.equal(answer.headers.get("location"), "/account/security");
  assert.equal((await browser.get("/account")).status, 200);
});

Deno.test("a link sets a password once, ends other sessions, and signs in", async () => {
  await using world = await newWorld();
  const path = await passwordLink(world);
  const page = await world.get(null, path);
  assert.equal(page.headers.get("cache-control"), "no-store");
  assert.match(await page.text(), /Choose a password for bob.*autocomplete="new-password"/s);
  const empty = await world.post(null, path, { password: "" });
  assert.equal(empty.status, 422);
  assert.equal(empty.headers.get("cache-control"), "no-store");
  assert.match(await empty.text(), /This is required/);

  const used = await world.post(null, path, NEW);
  assert.deepEqual([used.status, used.headers.get("location")], [303, "/"]);
  const Cookie = `callboard=${cookiesOf(used).callboard}`;
  assert.equal((await world.request("/account", { headers: { Cookie } })).status, 200);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401, "the earlier session");
  assert.equal(await signIn(world, NEW.password), 204);

  const again = await world.post(null, path, { password: "another password" });
  assert.equal(again.status, 404);
  assert.match(await again.text(), /This link is no longer valid/);
  assert.equal(await signIn(world, NEW.password), 204);
  const { body } = await world.api("erin", "GET", "/api/events?object_type=user");
  const told = body.map(({ description }: { description: string }) => description);
  assert.ok(told.includes('The password of user "bob" was changed'), told.join("\n"));
});

Deno.test("of two browsers with one link, one sets the password", async () => {
  await using world = await newWorld();
  const path = await passwordLink(world);
  const posts = await Promise.all(
    [1, 2, 3, 4].map((n) => world.post(null, path, { password: `password ${n}` })),
  );
  const winners = posts.flatMap(({ status }, n) => status === 303 ? [n + 1] : []);
  assert.equal(winners.length, 1);
  assert.equal(await signIn(world, `password ${winners[0]}`), 204);
});

Deno.test("a link that sets a password ends after an hour, and with the password it replaces", async () => {
  await using world = await newWorld();
  const [late, unused, used] = [
    await passwordLink(world),
    await passwordLink(world),
    await passwordLink(world),
  ];
  world.clock.advance(59 * 60_000);
  assert.equal((await world.get(null, late)).status, 200);
  assert.equal((await world.post(null, used, NEW)).status, 303);
  assert.equal((await world.post(null, unused, NEW)).status, 404);
  const next = await passwordLink(world);
  world.clock.advance(60 * 60_000);
  assert.equal((await world.post(null, next, NEW)).status, 404);
});

Deno.test("a link that sets a password asks for the code, and only signs in without passwords", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browser = newBrowser(world);
  const used = await browser.post(await passwordLink(world), NEW);
  assert.equal(used.headers.get("location"), "/auth/code");
  assert.ok(!browser.cookies.callboard);
  assert.equal((await browser.post("/auth/code", { code: code() })).status, 303);

  await using without = await newWorld({ config: { passwordSignIn: false } });
  const path = await passwordLink(without);
  assert.match(await (await without.get(null, path)).text(), /Sign in as bob/);
  assert.equal((await without.post(null, path)).status, 303);
});

Deno.test("links that are not valid are limited, and a valid one works nevertheless", async () => {
  await using world = await newWorld();
  const path = await passwordLink(world);
  const statuses = [];
  for (let n = 0; n < 62; n++) statuses.push((await world.get(null, `${path}${n}`)).status);
  assert.deepEqual([...new Set(statuses)], [404, 429]);
  assert.equal((await world.post(null, `${path}x`, NEW)).status, 429);
  assert.equal((await world.post(null, path, NEW)).status, 303);
});

Deno.test("accounts of a provider get no link that sets a password", async () => {
  await using world = await newWorld();
  const key = rowKeys.user(world.people.bob.id);
  const { value } = await world.kv.get<UserRow>(key);
  await world.kv.set(key, { ...value!, external: true });
  await assert.rejects(passwordLink(world), { key: "errors.external_user" });
});

/** Creates an account without a password, and returns its address in the API. */
async function newAccount(world: World, fields = {}): Promise<string> {
  const body = { name: "Frank", username: "frank", email: "frank@example.com", ...fields };
  const { status, body: user } = await world.api("erin", "POST", "/api/users", body);
  assert.equal(status, 201);
  return `/api/users/${user.id}`;
}

const firstLink = (world: World, account: string) =>
  world.api("erin", "POST", `${account}/sign_in_links`);

Deno.test("the first link of a new account sets its password, once, within a week", async () => {
  await using world = await newWorld();
  const account = await newAccount(world);
  const { status, body: link } = await firstLink(world, account);
  assert.equal(status, 201);
  const open = { can_make: true, links: [{ expires: link.expires, sets_password: true }] };
  assert.deepEqual((await world.api("erin", "GET", `${account}/sign_in_links`)).body, open);
  world.clock.advance(7 * 86_400_000 - 1000);
  assert.match(await (await world.get(null, link.path)).text(), /Choose a password for frank/);
  assert.equal((await world.post(null, link.path, NEW)).status, 303);
  assert.equal((await world.post(null, link.path, NEW)).status, 404);
  const used = { can_make: false, links: [] };
  assert.deepEqual((await world.api("erin", "GET", `${account}/sign_in_links`)).body, used);

  const late = await newAccount(world, { username: "greta", email: "greta@example.com" });
  const { body: old } = await firstLink(world, late);
  world.clock.advance(7 * 86_400_000);
  assert.equal((await world.post(null, old.path, NEW)).status, 404);
  const over = { can_make: true, links: [] };
  const scope = openAccount(operatorScope(world.deps), Number(late.split("/").at(-1)));
  assert.deepEqual(await readOpenLinks(scope), over);
});

Deno.test("a first link ends when it is replaced, withdrawn, or a password is set", async () => {
  await using world = await newWorld();
  const account = await newAccount(world);
  const [first, second] = [await firstLink(world, account), await firstLink(world, account)];
  assert.equal((await world.post(null, first.body.path, NEW)).status, 404);
  assert.equal((await world.get(null, second.body.path)).status, 200);
  assert.equal((await world.api("erin", "DELETE", `${account}/sign_in_links`)).status, 204);
  assert.equal((await world.post(null, second.body.path, NEW)).status, 404);
  const { body: events } = await world.api("erin", "GET", "/api/events?object_type=user");
  assert.equal(events[0].description, 'The sign-in links of user "frank" were withdrawn');

  const { body: third } = await firstLink(world, account);
  await world.api("erin", "POST", `${account}/password`, NEW);
  assert.equal((await world.post(null, third.path, { password: "another one" })).status, 404);
});

Deno.test("no one gets a first link to an account that is in use, or that is not theirs to make", async () => {
  await using world = await newWorld({ config: { usersCreateProjects: true } });
  const bobs = `/api/users/${world.people.bob.id}`;
  const refused = await firstLink(world, bobs);
  assert.deepEqual([refused.status, refused.body.path], [400, undefined]);
  const account = await newAccount(world);
  for (const person of ["alice", "bob"] as const) {
    for (const target of [account, bobs]) {
      assert.equal((await world.api(person, "POST", `${target}/sign_in_links`)).status, 403);
    }
    assert.equal((await world.api(person, "DELETE", `${account}/sign_in_links`)).status, 403);
  }
  const key = rowKeys.user(Number(account.split("/").at(-1)));
  const { value } = await world.kv.get<UserRow>(key);
  await world.kv.set(key, { ...value!, external: true });
  assert.equal((await firstLink(world, account)).status, 400);

  await using without = await newWorld({ config: { passwordSignIn: false } });
  assert.equal((await firstLink(without, await newAccount(without))).status, 400);
});

Deno.test("a small token makes no first link for an administrator", async () => {
  await using world = await newWorld();
  const account = await newAccount(world, { admin: true });
  const { body: token } = await world.api("erin", "POST", "/api/user/tokens", {});
  const made = await world.request(`${account}/sign_in_links`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token.id}` },
  });
  assert.equal(made.status, 403);
});
