import { openAccount } from "@/lib/access/scope.ts";
import { makeSignInLink } from "@/lib/people/sign_in_links/service.ts";
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
  assert.deepEqual([used.status, used.headers.get("location")], [303, "/account"]);
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
  assert.equal(used.headers.get("location"), "/auth/code?next=%2Faccount");
  assert.ok(!browser.cookies.callboard);
  const answer = await browser.post("/auth/code?next=%2Faccount", { code: code() });
  assert.equal(answer.headers.get("location"), "/account");
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
