import { getIdentity } from "@/lib/people/identities/repository.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import assert from "node:assert/strict";
import { startProvider } from "@/tests/support/services/oidc_provider.ts";
import {
  newSsoBrowser,
  providersOf,
  type SsoBrowser,
} from "@/tests/support/services/sso_browser.ts";
import {
  APP,
  isBack,
  newSsoStage,
  refusal,
  send,
  sessionsOf,
} from "@/tests/support/services/sso_stage.ts";
import { signInAs, START } from "@/tests/support/services/sso_stage.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/**
 * Returns the address with which a provider would redirect this browser back, without opening it.
 */
const wayBack = async (browser: SsoBrowser, start = START) =>
  (await browser.follow(start, isBack)).url;

Deno.test("login CSRF: Zoe's way back, opened in Bob's browser, signs in no one", async () => {
  await using stage = await newSsoStage();
  const { world, browser } = stage;
  const url = await wayBack(browser);
  const bobs = newSsoBrowser(world);
  const { told, why } = await refusal({ world, browser: bobs }, url);
  assert.match(told, /was started in another browser/);
  assert.equal(why, "started in another browser");
  assert.equal(bobs.cookies.get(APP)?.has("callboard"), false);
  // The attempt is used up, no matter whose browser has opened the address.
  assert.match((await refusal(stage, url)).why, /unknown state/);
  assert.deepEqual(await sessionsOf(world), []);
});

Deno.test("a way back works once, and not after ten minutes, nor with a made-up state", async () => {
  await using stage = await newSsoStage();
  const { world, browser } = stage;
  const url = await wayBack(browser);
  assert.equal((await browser.follow(url)).url, `${APP}/account`);
  const again = newSsoBrowser(world);
  assert.match((await refusal({ world, browser: again }, url)).why, /unknown state/);
  const other = newSsoBrowser(world);
  const late = await wayBack(other);
  world.clock.advance(10 * 60_000);
  assert.match((await refusal({ world, browser: other }, late)).why, /unknown state/);
  for (const query of ["", "?code=x", "?code=x&state=", `?code=x&state=${"y".repeat(5_000)}`]) {
    const path = `/api/auth/oidc/main/redirect${query}`;
    assert.match(
      (await refusal({ world, browser: newSsoBrowser(world) }, path)).why,
      /unknown state/,
    );
  }
  assert.equal((await sessionsOf(world)).length, 1);
});

Deno.test("one way back that is opened many times in parallel signs in once", async () => {
  await using stage = await newSsoStage();
  const { world, browser } = stage;
  const url = await wayBack(browser);
  const Cookie = [...browser.cookies.get(APP)!].map(([name, value]) => `${name}=${value}`).join(
    "; ",
  );
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => world.request(url, { headers: { Cookie } })),
  );
  const locations = answers.map(({ headers }) => headers.get("location"));
  assert.equal(locations.filter((location) => location === "/account").length, 1);
  assert.equal((await sessionsOf(world)).length, 1);
});

Deno.test("code injection: a code that was stolen from Zoe does not work in Mallory's own sign-in", async () => {
  await using stage = await newSsoStage();
  const { world, browser } = stage;
  const stolen = new URL(await wayBack(browser)).searchParams.get("code")!;
  const mallory = newSsoBrowser(world);
  const own = new URL(await wayBack(mallory));
  own.searchParams.set("code", stolen);
  const { told, why } = await refusal({ world, browser: mallory }, own.href);
  assert.match(told, /could not be verified/);
  // The provider itself refuses it, because the PKCE verifier belongs to another attempt.
  assert.match(why, /answered 400 invalid_grant/);
  assert.deepEqual(await sessionsOf(world), []);
});

Deno.test("mix-up: what one provider answers is not taken for another one's", async () => {
  await using honest = await startProvider({ id: "honest" });
  await using evil = await startProvider({ id: "evil" });
  const providers = providersOf({ honest, evil });
  await using world = await newWorld({ deps: { providers } });
  const start = "/api/auth/oidc/honest/login";
  // The honest provider's answer comes to the address of the evil one.
  const browser = newSsoBrowser(world);
  const url = (await wayBack(browser, start)).replace("/oidc/honest/", "/oidc/evil/");
  assert.equal((await refusal({ world, browser }, url)).why, "started at another provider");
  // It names another issuer, or none.
  for (const iss of [evil.issuer, "", null]) {
    const other = newSsoBrowser(world);
    const back = new URL(await wayBack(other, start));
    assert.equal(back.searchParams.get("iss"), honest.issuer);
    if (iss === null) back.searchParams.delete("iss");
    else back.searchParams.set("iss", iss);
    const { why } = await refusal({ world, browser: other }, back.href);
    assert.match(why, /^answer: .*"iss"/);
  }
  assert.equal(evil.asked.includes("/token"), false, "no code reached the other one");
  assert.equal(honest.asked.includes("/token"), false);
});

Deno.test("open redirect: after a sign-in only pages of ours are gone on to", async () => {
  await using stage = await newSsoStage();
  const wishes = [
    "https://evil.example.com/",
    "//evil.example.com/",
    "/\\evil.example.com",
    "/%5C/evil.example.com/..//",
    "javascript:alert(1)",
    "/\n/evil.example.com",
    "",
  ];
  for (const wish of wishes) {
    const browser = newSsoBrowser(stage.world);
    const url = await wayBack(
      browser,
      `/api/auth/oidc/main/login?${new URLSearchParams({ redirect: wish })}`,
    );
    const response = await browser.ask(url);
    const to = new URL(response.headers.get("location")!, APP);
    assert.equal(to.origin, APP, `${JSON.stringify(wish)}: ${to}`);
  }
  // A failure does not redirect to another site, either.
  const evil = "https://evil.example.com/";
  const failed = await stage.world.request(`/api/auth/oidc/nobody/login?redirect=${evil}`);
  assert.equal(failed.headers.get("location"), "/auth/login?next=%2F");
});

Deno.test("session fixation: a sign-in creates a new session, and ends the one that the browser had", async () => {
  await using stage = await newSsoStage();
  const { world, browser, provider } = stage;
  signInAs(stage, "bob");
  const planted = world.people.bob.token;
  await browser.follow(START);
  const now = browser.cookies.get(APP)!.get("callboard");
  assert.ok(now && now !== planted);
  assert.equal((await world.get("bob", "/account")).status, 303, "Bob's session is over");
  // The cookie of another person's attempt does not help, either.
  const mallory = newSsoBrowser(world);
  const theirs = await wayBack(mallory);
  const zoes = newSsoBrowser(world);
  await wayBack(zoes);
  for (const [name, value] of zoes.cookies.get(APP)!) mallory.cookies.get(APP)!.set(name, value);
  const own = [...mallory.cookies.get(APP)!.keys()][0];
  mallory.cookies.get(APP)!.set(own, [...zoes.cookies.get(APP)!.values()][0]);
  assert.match((await refusal({ world, browser: mallory }, theirs)).why, /another browser/);
  assert.ok(provider);
});

Deno.test("take-over by e-mail: a provider that says Erin's address does not become Erin", async () => {
  await using stage = await newSsoStage();
  const { world, provider: { manners } } = stage;
  manners.claims = { ...manners.claims, email: "erin@example.com", preferred_username: "erin" };
  assert.match((await refusal(stage)).told, /already belongs to an account here/);
  // A later change of the address at the provider does not help, nor does the name alone.
  manners.claims = { ...manners.claims, email: "zoe@corp.example.com" };
  await stage.browser.follow(START);
  manners.claims = { ...manners.claims, email: "erin@example.com" };
  const zoes = newSsoBrowser(world);
  await zoes.follow(START);
  const erin = (await findUserByLogin(world.kv, "erin@example.com"))?.value;
  assert.deepEqual([erin?.id, erin?.external], [world.people.erin.id, false]);
  const html = await (await zoes.ask(`${APP}/account`)).text();
  assert.match(html, /value="zoe@corp\.example\.com"/);
  assert.equal((await zoes.ask(`${APP}/users`)).status, 404, "and is no admin");
});

Deno.test("link CSRF: only Alice, with her password and in the same session, links a provider", async () => {
  await using stage = await newSsoStage();
  const { world, browser, provider } = stage;
  signInAs(stage, "alice");
  const key = { issuer: provider.issuer, subject: "zoe-1" };
  const link = { provider: "main", link_password: "correct horse battery staple" };
  // A form of another site, and one without the password.
  const foreign = await browser.ask(`${APP}/account/links`, {
    method: "POST",
    body: new URLSearchParams(link),
    headers: { Origin: "https://evil.example.com", "Sec-Fetch-Site": "cross-site" },
  });
  assert.equal(foreign.status, 403);
  for (const link_password of ["", "wrong"]) {
    const answer = await send(browser, "/account/links", { ...link, link_password });
    assert.equal(answer.status, 422);
  }
  // Mallory starts a link of his own. Its redirect in Alice's browser links nothing.
  const mallory = newSsoBrowser(world);
  mallory.cookies.set(APP, new Map([["callboard", world.people.dave.token]]));
  const his = await (await send(mallory, "/account/links", link)).text();
  const start = /href="(http:\/\/127[^"]+)"/.exec(his)![1].replaceAll("&amp;", "&");
  const url = await wayBack(mallory, start);
  await browser.follow(url);
  assert.equal((await getIdentity(world.kv, key)).value, null);
  // Neither does a redirect in a session that has changed meanwhile.
  const hers = await (await send(browser, "/account/links", link)).text();
  const back = await wayBack(
    browser,
    /href="(http:\/\/127[^"]+)"/.exec(hers)![1].replaceAll("&amp;", "&"),
  );
  browser.cookies.get(APP)!.set("callboard", world.people.bob.token);
  await browser.follow(back);
  assert.equal((await getIdentity(world.kv, key)).value, null);
});

Deno.test("endless attempts to sign in are slowed down, and do not fill the store", async () => {
  await using stage = await newSsoStage();
  const { world } = stage;
  await stage.browser.follow(START, isBack);
  const answers: (string | null)[] = [];
  for (let n = 0; n < 70; n++) {
    const response = await world.request(START);
    answers.push(response.headers.get("location"));
  }
  assert.ok(answers.slice(-5).every((location) => location?.startsWith("/auth/login?next=")));
  const rows = await Array.fromAsync(world.kv.list({ prefix: ["sso_attempts"] }));
  assert.ok(rows.length <= 61, `${rows.length}`);
});
