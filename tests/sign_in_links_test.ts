import { openAccount } from "@/lib/access/scope.ts";
import { makeSignInLink } from "@/lib/people/sign_in_links/service.ts";
import { operatorScope } from "@/lib/people/accounts/operator.ts";
import assert from "node:assert/strict";
import { enrol } from "./support/factors.ts";
import { cookiesOf } from "./support/html.ts";
import { newBrowser } from "./support/sign_in.ts";
import { newWorld, type World } from "./support/world.ts";

const linkOf = ({ deps, people }: World) =>
  makeSignInLink(openAccount(operatorScope(deps), people.bob.id));

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
