import type { JWTPayload } from "jose";
import assert from "node:assert/strict";
import { CLIENT, logoutClaims, startProvider } from "@/tests/support/services/oidc_provider.ts";
import { newSsoBrowser, providersOf } from "@/tests/support/services/sso_browser.ts";
import { APP, newSsoStage, send, sessionsOf, START } from "@/tests/support/services/sso_stage.ts";
import { serveWorld } from "@/tests/support/world/serve_world.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const PATH = "/api/auth/oidc/main/backchannel_logout";

const tell = async (world: World, logout_token: string) =>
  await readAnswer(
    await world.request(PATH, { method: "POST", body: new URLSearchParams({ logout_token }) }),
  );

Deno.test("signing out offers the provider's own sign-out, which ends its session, too", async () => {
  await using stage = await newSsoStage({ post_logout_redirect_url: `${APP}/auth/login` });
  const { browser, world, provider } = stage;
  await browser.follow(START);
  const response = await send(browser, "/auth/logout", {});
  assert.equal(response.status, 200);
  assert.equal((await sessionsOf(world)).length, 0);
  const html = await response.text();
  assert.match(html, /Also sign out of The main provider/);
  const href = /href="(http:\/\/127[^"]+)"/.exec(html)![1].replaceAll("&amp;", "&");
  const url = new URL(href);
  assert.equal(url.searchParams.get("client_id"), CLIENT.id);
  assert.ok(url.searchParams.get("id_token_hint"));
  // The provider asks for a confirmation, and then redirects back.
  const page = await (await browser.ask(href)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)![1];
  const done = await browser.ask(`${provider.issuer}/session/end/confirm`, {
    method: "POST",
    body: new URLSearchParams({ xsrf, logout: "yes" }),
  });
  assert.equal(done.headers.get("location"), `${APP}/auth/login`);
});

Deno.test("signing out after a password sign-in offers no provider", async () => {
  await using stage = await newSsoStage();
  const response = await stage.world.post("alice", "/auth/logout");
  assert.deepEqual([response.status, response.headers.get("location")], [303, "/auth/login"]);
});

Deno.test("a provider that reports its sign-out ends that session immediately, and no other", async () => {
  await using world = await newWorld();
  const { url, stop } = serveWorld(world);
  const app = url.replace(/\/$/, "");
  const provider = await startProvider({ app });
  world.deps.providers = providersOf({ main: provider });
  try {
    const [one, two] = [newSsoBrowser(world, app), newSsoBrowser(world, app)];
    for (const browser of [one, two]) {
      assert.equal((await browser.follow(START)).url, `${app}/account`);
    }
    assert.equal((await sessionsOf(world)).length, 2);
    const page = await (await one.ask(`${provider.issuer}/session/end?client_id=${CLIENT.id}`))
      .text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)![1];
    await one.ask(`${provider.issuer}/session/end/confirm`, {
      method: "POST",
      body: new URLSearchParams({ xsrf, logout: "yes" }),
    });
    await until(async () => (await sessionsOf(world)).length === 1);
    assert.equal((await two.ask(`${app}/account`)).status, 200);
    assert.equal((await one.ask(`${app}/account`)).status, 303);
  } finally {
    await stop();
    await provider[Symbol.asyncDispose]();
  }
});

Deno.test("a logout token ends all sessions of its subject, once, and only when it is one", async () => {
  await using stage = await newSsoStage();
  const { world, browser, provider: { issuer, sign } } = stage;
  await browser.follow(START);
  const good: JWTPayload = { ...logoutClaims(issuer), sub: "zoe-1" };
  const { events: _, ...withoutEvent } = good;
  const { jti: __, ...withoutId } = good;
  const { sub: ___, ...ofNobody } = good;
  await using other = await startProvider();
  const wrong: [string, string][] = [
    ["nothing", ""],
    ["another key", await other.sign(good)],
    ["another issuer", await sign({ ...good, iss: other.issuer })],
    ["another client", await sign({ ...good, aud: "other" })],
    ["without the event", await sign(withoutEvent)],
    ["without an id", await sign(withoutId)],
    ["of nobody", await sign(ofNobody)],
    ["an ID token", await sign({ ...good, nonce: "x" })],
    ["an old one", await sign({ ...good, iat: good.iat! - 3_600, exp: good.iat! + 3_600 })],
    ["one from ten minutes ahead", await sign({ ...good, iat: good.iat! + 600 })],
    ["of another type", await sign(good, { header: { typ: "at+jwt" } })],
  ];
  for (const [what, token] of wrong) {
    const { status, body } = await tell(world, token);
    assert.deepEqual([status, body], [400, { error: "invalid_request" }], what);
    assert.equal((await sessionsOf(world)).length, 1, what);
  }
  // The provider's clock is almost two minutes ahead.
  const iat = good.iat! + 110;
  const token = await sign({ ...good, iat }, { header: { typ: "logout+jwt" } });
  const answer = await tell(world, token);
  assert.deepEqual([answer.status, answer.headers.get("cache-control")], [200, "no-store"]);
  assert.equal((await sessionsOf(world)).length, 0);
  assert.equal((await browser.ask(`${APP}/account`)).status, 303);
  // If the same token were accepted again, it would end the new sessions, too.
  await browser.follow(START);
  assert.equal((await tell(world, token)).status, 400);
  assert.equal((await sessionsOf(world)).length, 1);
});

Deno.test("a provider's sign-out counts the sessions that are still open, and names the person", async () => {
  await using stage = await newSsoStage();
  const { world, browser, provider: { issuer, sign } } = stage;
  await browser.follow(START);
  await send(browser, "/auth/logout", {});
  await browser.follow(START);
  const [{ row: { user_id, provider } }] = await sessionsOf(world);
  const sid = provider!.sid!;
  assert.equal((await tell(world, await sign({ ...logoutClaims(issuer), sid }))).status, 200);
  const line = world.log.find(({ event }) => event === "sso_back_channel_logout")!;
  assert.deepEqual(line.fields, { provider: "main", sid, users: [user_id], sessions: 1 });
});
