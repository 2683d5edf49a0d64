import { findUserByLogin } from "@/lib/people/users/repository.ts";
import { fetchFromProvider } from "@/lib/oidc/ask.ts";
import { tryWaysIn } from "@/lib/people/sso/try_ways_in.ts";
import { decodeJwt } from "jose";
import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { startProvider } from "@/tests/support/services/oidc_provider.ts";
import { newSsoBrowser, providersOf } from "@/tests/support/services/sso_browser.ts";
import {
  newSsoStage,
  refusal,
  send,
  sessionsOf,
  START,
} from "@/tests/support/services/sso_stage.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("Zoe signs in by a provider, and comes to the page that she wanted", async () => {
  await using stage = await newSsoStage();
  const { world, browser } = stage;
  const { url, response } = await browser.follow(
    "/api/auth/oidc/main/login?redirect=/account?a=b&t=3",
  );
  assert.equal(response.status, 200, JSON.stringify(world.log));
  assert.equal(url, "http://callboard.test/account?a=b&t=3");
  assert.match(await response.text(), /Zoe Z/);
  const user = (await findUserByLogin(world.kv, "zoe"))?.value;
  assert.deepEqual([user?.external, user?.email], [true, "zoe@corp.example.com"]);
  // The cookie of the attempt is gone, and that of the session is set.
  const names = [...browser.cookies.get("http://callboard.test")!.keys()];
  assert.deepEqual(names.filter((name) => name.startsWith("callboard_sso")), []);
  assert.ok(names.includes("callboard"));
});

Deno.test("existing clients read the providers in their order", async () => {
  await using provider = await startProvider();
  const providers = providersOf({ b: provider, a: provider }, {
    a: { order: 2, color: "#fff", icon: "key" },
    b: { order: 1 },
  });
  await using world = await newWorld({ deps: { providers } });
  const { body } = await world.api(null, "GET", "/api/auth/login");
  assert.deepEqual(body.login_with_password, true);
  const shape = { color: "", icon: "", available: true };
  assert.deepEqual(
    body.oidc_providers.toSorted((a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1),
    [
      { ...shape, id: "a", name: "The a provider", color: "#fff", icon: "key" },
      { ...shape, id: "b", name: "The b provider" },
    ],
  );
});

Deno.test("an account cannot change values that come from the settings or its provider", async () => {
  await using stage = await newSsoStage();
  const { browser, world } = stage;
  await browser.follow(START);
  const own = { name: "Root", username: "root", email: "root@example.com" };
  assert.equal((await send(browser, "/account", own)).status, 303);
  const user = (await findUserByLogin(world.kv, "zoe"))?.value;
  assert.deepEqual(
    [user?.name, user?.username, user?.email],
    ["Zoe Z", "zoe", "zoe@corp.example.com"],
  );
  const passwords = { current_password: "x", password: "y" };
  assert.equal((await send(browser, "/account/password", passwords)).status, 422);
  const auth = { auth: "zoe", password: "y" };
  assert.equal((await world.api(null, "POST", "/api/auth/login", auth)).status, 401);
});

Deno.test("people who refuse to share their identity get a message about it", async () => {
  await using stage = await newSsoStage();
  stage.provider.manners.consents = false;
  const { told, why } = await refusal(stage);
  assert.match(told, /You did not allow The main provider/);
  assert.equal(why, "the provider answered access_denied");
});

/** ID tokens that must be refused, made from the one that the provider would issue. */
type Claims = Record<string, unknown>;
const WRONG: [what: string, change: (claims: Claims) => Claims, why: RegExp][] = [
  ["another nonce", (claims) => ({ ...claims, nonce: "x" }), /"nonce"/],
  ["no nonce", ({ nonce: _, ...claims }) => claims, /"nonce"/],
  ["another issuer", (claims) => ({ ...claims, iss: "https://evil.example.com" }), /"iss"/],
  ["another audience", (claims) => ({ ...claims, aud: "other" }), /"aud"/],
  ["several audiences", (claims) => ({ ...claims, aud: ["callboard", "x"] }), /"aud"/],
  ["another azp", (claims) => ({ ...claims, azp: "x" }), /another client/],
  ["expired", (claims) => ({ ...claims, iat: 1_000, exp: 2_000 }), /"exp"/],
  ["no expiry", ({ exp: _, ...claims }) => claims, /"exp"/],
  ["not yet", (claims) => ({ ...claims, nbf: 33_000_000_000 }), /"nbf"/],
  ["no subject", ({ sub: _, ...claims }) => claims, /"sub"/],
];

Deno.test("an ID token that is not for us, now, and for this sign-in lets no one in", async () => {
  await using stage = await newSsoStage();
  const { manners, sign } = stage.provider;
  for (const [what, change, expected] of WRONG) {
    manners.idToken = (token) => sign(change(decodeJwt(token)));
    const { told, why } = await refusal(stage);
    assert.match(told, /could not be verified/, what);
    assert.match(why, expected, what);
  }
  // A token for several clients is accepted if its `azp` is this server.
  manners.idToken = (token) =>
    sign({ ...decodeJwt(token), aud: ["callboard", "x"], azp: "callboard" });
  assert.match((await stage.browser.follow(START)).url, /account$/);
});

Deno.test("an ID token that the provider has not signed lets no one in", async () => {
  await using stage = await newSsoStage();
  const { manners, sign } = stage.provider;
  const encode = (part: object) => btoa(JSON.stringify(part)).replaceAll("=", "");
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const hmac = {
    kty: "oct",
    k: Buffer.from(bytes).toString("base64url"),
    alg: "HS256",
    kid: "one",
  };
  await using other = await startProvider();
  const forged: [string, (token: string) => string | Promise<string>][] = [
    ["alg: none", (token) => `${encode({ alg: "none" })}.${token.split(".")[1]}.`],
    ["another key", (token) => other.sign(decodeJwt(token))],
    ["a shared secret", (token) => sign(decodeJwt(token), { key: hmac })],
    ["changed", (token) => token.slice(0, -6) + "AAAAAA"],
    ["no token", () => "hello"],
    ["encrypted", () => "a.b.c.d.e"],
  ];
  for (const [what, change] of forged) {
    manners.idToken = change;
    const { told } = await refusal(stage);
    assert.match(told, /could not be verified/, what);
  }
});

Deno.test("an address that is not made sure of, or missing, or another account's, is refused", async () => {
  await using stage = await newSsoStage();
  const { manners } = stage.provider;
  const before = manners.claims;
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ email_verified: false }, /is not verified at/],
    [{ email_verified: "false" }, /is not verified at/],
    [{ email_verified: "False" }, /is not verified at/],
    [{ email_verified: 0 }, /is not verified at/],
    [{ email_verified: "0" }, /is not verified at/],
    [{ email_verified: null }, /is not verified at/],
    [{ email_verified: "" }, /is not verified at/],
    [{ email_verified: [] }, /is not verified at/],
    [{ email: undefined }, /did not provide your e-mail address/],
    [{ email: "a@x.example, b@y.example" }, /did not provide your e-mail address/],
    [{ email: "alice@example.com" }, /already belongs to an account here/],
    [{ email: "ALICE@example.com" }, /already belongs to an account here/],
  ];
  for (const [change, expected] of cases) {
    manners.claims = { ...before, ...change };
    assert.match((await refusal(stage)).told, expected, JSON.stringify(change));
  }
  manners.claims = { ...before, email_verified: "true" };
  assert.match((await newSsoBrowser(stage.world).follow(START)).url, /account$/);
});

Deno.test("claims that the token has not come from userinfo, of the same subject alone", async () => {
  await using stage = await newSsoStage();
  const { provider: { manners, sign, asked, issuer }, world, browser } = stage;
  const thin = ["iss", "sub", "aud", "exp", "iat", "nonce"];
  manners.idToken = (token) =>
    sign(
      Object.fromEntries(Object.entries(decodeJwt(token)).filter(([name]) => thin.includes(name))),
    );
  assert.match((await browser.follow(START)).url, /account$/, JSON.stringify(world.log));
  assert.ok(asked.includes("/me"));
  assert.equal((await sessionsOf(world)).length, 1);
  const body = JSON.stringify({ sub: "other", ...manners.claims });
  manners.answer = (path) => path === "/me" ? { status: 200, body } : null;
  const { url } = await newSsoBrowser(world).follow(START);
  assert.match(url, /auth\/login/, issuer);
  assert.equal((await sessionsOf(world)).length, 1);
});

Deno.test("keys that the provider has changed are found, and made-up ones make few requests", async () => {
  await using stage = await newSsoStage();
  const { provider, browser, world } = stage;
  await browser.follow(START);
  await provider.rotate();
  const later = Date.now() + 31_000;
  const { now } = Date;
  Date.now = () => later;
  try {
    const { url } = await newSsoBrowser(world).follow(START);
    assert.match(url, /account$/, JSON.stringify(world.log));
    await using other = await startProvider();
    await other.rotate();
    provider.manners.idToken = (token) => other.sign(decodeJwt(token));
    const before = provider.asked.filter((path) => path === "/jwks").length;
    for (let n = 0; n < 5; n++) {
      assert.match((await newSsoBrowser(world).follow(START)).url, /auth\/login/);
    }
    const after = provider.asked.filter((path) => path === "/jwks").length;
    assert.ok(after - before <= 1, `${after - before} requests`);
  } finally {
    Date.now = now;
  }
});

Deno.test("a provider that is down delays no one else, says so, and is asked again with its button", async () => {
  await using stage = await newSsoStage();
  const { provider, world, browser } = stage;
  await provider.stop();
  await tryWaysIn(world.deps);
  const { told, why } = await refusal(stage);
  assert.match(told, /The main provider cannot be reached right now/);
  assert.match(why, /^discovery: 127\.0\.0\.1:\d+: connection refused.*; see provider_url$/);
  const page = await (await world.get(null, "/auth/login")).text();
  assert.match(page, /Unreachable at the last attempt/);
  const { body } = await world.api(null, "GET", "/api/auth/login");
  assert.equal(body.oidc_providers[0].available, false);
  await provider.start();
  assert.match((await browser.follow(START)).url, /account$/);
  const again = await (await world.get(null, "/auth/login")).text();
  assert.doesNotMatch(again, /Unreachable at the last attempt/);
});

Deno.test("redirects of a provider's own endpoints are not followed: the secret stays with it", async () => {
  await using elsewhere = await startProvider();
  const path = { token: "/token", userinfo: "/me", keys: "/jwks" };
  for (const at of Object.values(path)) {
    await using stage = await newSsoStage();
    const { manners, sign } = stage.provider;
    if (at === "/me") manners.idToken = (token) => sign({ ...decodeJwt(token), email: undefined });
    const location = elsewhere.issuer + at;
    manners.answer = (asked) => asked === at ? { status: 307, headers: { location } } : null;
    assert.match((await refusal(stage)).told, /could not be verified/, at);
  }
  assert.deepEqual(elsewhere.asked, []);
});

Deno.test("discovery documents of others, and answers of any length, are refused", async () => {
  for (
    const [body, expected] of [
      [JSON.stringify({ issuer: "https://evil.example.com" }), /no usable/],
      ["x".repeat(600_000), /more than 524288 bytes/],
      ["[]", /did not answer with a JSON object/],
      ["{", /did not answer with a JSON object/],
    ] as const
  ) {
    await using stage = await newSsoStage();
    stage.provider.manners.answer = (path) =>
      path.endsWith("openid-configuration") ? { status: 200, body } : null;
    const { why } = await refusal(stage);
    assert.match(why, expected);
  }
  await using stage = await newSsoStage();
  await using other = await startProvider();
  const document = await (await fetch(`${other.issuer}/.well-known/openid-configuration`)).text();
  stage.provider.manners.answer = (path) =>
    path.endsWith("openid-configuration") ? { status: 200, body: document } : null;
  assert.match((await refusal(stage)).why, /has another issuer/);
});

Deno.test("if an administrator must approve accounts, Zoe waits until Erin has approved hers", async () => {
  await using stage = await newSsoStage({ new_accounts: "ask" });
  const { world, browser } = stage;
  assert.match((await refusal(stage)).told, /You are on the list/);
  const page = await (await world.get("erin", "/users/waiting")).text();
  assert.match(page, /Zoe Z/);
  const id = /name="accept" value="([^"]+)"/.exec(page)![1];
  assert.equal((await world.post("erin", "/users/waiting", { accept: id })).status, 303);
  assert.match((await browser.follow(START)).url, /account$/);
  for (const path of ["/users/waiting", "/users/rules"]) {
    assert.equal((await world.get("alice", path)).status, 404);
  }
});

Deno.test("a server that creates no accounts for strangers says so", async () => {
  await using stage = await newSsoStage({ new_accounts: "refuse" });
  assert.match((await refusal(stage)).told, /this provider does not create accounts/);
});

Deno.test("a slow provider is not waited for", async () => {
  const slow = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = slow.addr;
  const connections = Array.fromAsync(slow);
  await assert.rejects(
    fetchFromProvider(`http://127.0.0.1:${port}/`, { ca: null }, 100),
    (error: Error) => error.message === `down: 127.0.0.1:${port}: no answer in time`,
  );
  slow.close();
  for (const connection of await connections) connection.close();
});
