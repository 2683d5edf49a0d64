import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { newAuthenticator } from "@/tests/support/world/authenticator.ts";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { enrol } from "@/tests/support/world/factors.ts";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const HOME = { origin: "https://callboard.test", rpId: "callboard.test" };
const settings = { url: new URL("https://callboard.test/ops"), basePath: "/ops" };

const newPasskeyWorld = (config: object = {}) => newWorld({ config: { ...settings, ...config } });

/** Sends a form to a page below the sub-path, from a browser with these cookies. */
const send = (world: World, path: string, cookies: string, form: Record<string, string> = {}) =>
  world.request(`/ops${path}`, {
    method: "POST",
    headers: { Cookie: cookies, Origin: HOME.origin },
    body: new URLSearchParams(form),
  });

const sessionOf = (world: World, person: Person) => `callboard=${world.people[person].token}`;

/** Requests the options for a new passkey of a person. */
async function newOptions(world: World, person: Person) {
  const form = { current_password: PASSWORD };
  const answer = await send(world, "/account/passkeys/options", sessionOf(world, person), form);
  assert.equal(answer.status, 200);
  return await answer.json();
}

const addForm = (credential: string) => ({
  name: "Key ring",
  current_password: PASSWORD,
  credential,
});

type Authenticator = ReturnType<typeof newAuthenticator>;

/** Adds a passkey as the account's page does. */
async function add(world: World, person: Person): Promise<Authenticator> {
  const device = newAuthenticator(HOME);
  const credential = device.add(await newOptions(world, person));
  const path = "/account/passkeys";
  const answer = await send(world, path, sessionOf(world, person), addForm(credential));
  assert.equal(answer.status, 303, await answer.text());
  return device;
}

/** Requests the challenge for a passkey, in a browser of its own. */
async function challenge(world: World) {
  const answer = await send(world, "/auth/passkey/options", "");
  assert.equal(answer.status, 200);
  const cookie = `callboard_passkey=${cookiesOf(answer).callboard_passkey}`;
  return { options: await answer.json(), cookie };
}

/** Signs in, and returns the person whose session it opened, or null. */
async function signIn(
  world: World,
  credentialOf: (options: { challenge: string }) => string,
): Promise<string | null> {
  const { options, cookie } = await challenge(world);
  return await sent(world, credentialOf(options), cookie);
}

async function sent(world: World, credential: string, cookie: string): Promise<string | null> {
  const answer = await send(world, "/auth/passkey?next=%2Fqueue", cookie, { credential });
  assert.equal(answer.status, 303);
  const { callboard } = cookiesOf(answer);
  const isIn = Boolean(callboard);
  const to = isIn ? "/ops/queue" : "/ops/auth/login?next=%2Fqueue";
  assert.equal(answer.headers.get("location"), to);
  if (!isIn) return null;
  const headers = { Cookie: `callboard=${callboard}` };
  return (await (await world.request("/ops/api/user", { headers })).json()).username;
}

Deno.test("Bob adds a passkey and signs in with it, without a password and without a code", async () => {
  await using world = await newPasskeyWorld();
  const device = await add(world, "bob");
  assert.equal(await signIn(world, (options) => device.signIn(options)), "bob");
  assert.equal(await signIn(world, (options) => device.signIn(options)), "bob");
  const headers = { Cookie: sessionOf(world, "bob") };
  const page = await (await world.request("/ops/account/security", { headers })).text();
  assert.match(page, /Key ring/);
  assert.match(page, /signed in with a passkey from 192\.0\.2\.1/);
});

Deno.test("a second factor is not asked for after a passkey: that is two already", async () => {
  await using world = await newWorld({ config: { url: new URL("http://localhost") } });
  const home = { origin: "http://localhost", rpId: "localhost" };
  await enrolAt(world);
  const device = newAuthenticator(home);
  const ask = (path: string, init: RequestInit) => world.request(path, { method: "POST", ...init });
  const headers = { Cookie: sessionOf(world, "bob"), Origin: home.origin };
  const password = new URLSearchParams({ current_password: PASSWORD });
  const options = await (await ask("/account/passkeys/options", { headers, body: password }))
    .json();
  const body = new URLSearchParams(addForm(device.add(options)));
  assert.equal((await ask("/account/passkeys", { headers, body })).status, 303);
  const asked = await ask("/auth/passkey/options", {});
  const { callboard_passkey } = cookiesOf(asked);
  const credential = device.signIn(await asked.json());
  const answer = await ask("/auth/passkey", {
    headers: { Cookie: `callboard_passkey=${callboard_passkey}` },
    body: new URLSearchParams({ credential }),
  });
  assert.ok(cookiesOf(answer).callboard);
});

/** Sets up Bob's second factor on a server that has a name. */
async function enrolAt(world: World) {
  const { deps } = world;
  const { url } = deps.config;
  deps.config.url = null;
  await enrol(world, "bob");
  deps.config.url = url;
}

Deno.test("a signature of another page, name, device or moment signs in no one", async () => {
  await using world = await newPasskeyWorld();
  const device = await add(world, "bob");
  const stranger = newAuthenticator(HOME);
  const attacks: Record<string, (options: { challenge: string }) => string> = {
    "a page of another origin": (options) =>
      device.signIn(options, { origin: "https://callboard.test.evil.example" }),
    "the same name over plain http": (options) =>
      device.signIn(options, { origin: "http://callboard.test" }),
    "another name": (options) => device.signIn(options, { rpId: "evil.example" }),
    "a finger that was not shown": (options) => device.signIn(options, { verified: false }),
    "another challenge": (options) => device.signIn(options, { challenge: "AAAA" }),
    "an older count: a copy of the device": (options) => device.signIn(options, { counter: 0 }),
    "a device that nobody has": (options) => stranger.signIn(options),
    "Bob's id, signed by another device": (options) => {
      const { id, rawId } = JSON.parse(device.signIn(options));
      return JSON.stringify({ ...JSON.parse(stranger.signIn(options)), id, rawId });
    },
    "no JSON": () => "{",
    "nothing": () => "",
  };
  for (const [attack, credentialOf] of Object.entries(attacks)) {
    assert.equal(await signIn(world, credentialOf), null, attack);
  }
  assert.equal(await signIn(world, (options) => device.signIn(options)), "bob");
});

Deno.test("a challenge belongs to one browser, counts once, and for five minutes", async () => {
  await using world = await newPasskeyWorld();
  const device = await add(world, "bob");
  const { options, cookie } = await challenge(world);
  const signed = device.signIn(options);
  assert.equal(
    await sent(world, signed, (await challenge(world)).cookie),
    null,
    "of another browser",
  );
  assert.equal(await sent(world, signed, ""), null);
  assert.equal(await sent(world, signed, cookie), "bob");
  assert.equal(await sent(world, signed, cookie), null, "replayed");
  const late = await challenge(world);
  world.clock.advance(5 * 60_000);
  assert.equal(await sent(world, device.signIn(late.options), late.cookie), null);
  const wrong = await challenge(world);
  assert.equal(
    await sent(world, device.signIn(wrong.options, { verified: false }), wrong.cookie),
    null,
  );
  assert.equal(await sent(world, device.signIn(wrong.options), wrong.cookie), null, "a second try");
});

Deno.test("a passkey is added with the password, in the session that asked, from this page", async () => {
  await using world = await newPasskeyWorld();
  const device = newAuthenticator(HOME);
  const post = (person: Person, form: Record<string, string>) =>
    send(world, "/account/passkeys", sessionOf(world, person), form);
  const made = async (deviation = {}) =>
    addForm(device.add(await newOptions(world, "bob"), deviation));
  assert.equal((await post("bob", { ...await made(), current_password: "guess" })).status, 422);
  assert.equal((await post("bob", { ...await made(), name: "" })).status, 422);
  assert.equal((await post("alice", await made())).status, 422);
  assert.equal((await post("bob", await made({ origin: "https://evil.example" }))).status, 422);
  assert.equal((await post("bob", await made({ rpId: "evil.example" }))).status, 422);
  assert.equal((await post("bob", await made({ verified: false }))).status, 422);
  const form = await made();
  assert.equal((await post("bob", form)).status, 303);
  assert.equal((await post("bob", form)).status, 422, "used");
  assert.equal((await post("bob", await made())).status, 422, "there already");
  const stolen = addForm(device.add(await newOptions(world, "alice")));
  assert.equal((await post("alice", stolen)).status, 422, "Bob's device");
});

Deno.test("a passkey that was removed signs in no one; others see and remove none but admins", async () => {
  await using world = await newPasskeyWorld();
  const device = await add(world, "bob");
  const { id } = world.people.bob;
  const [{ key }] = await Array.fromAsync(world.kv.list({ prefix: rowKeys.passkeys(id) }));
  const form = { passkey: key[2] as string, current_password: PASSWORD };
  const remove = (person: Person, path: string) =>
    send(world, path, sessionOf(world, person), form);
  assert.equal((await remove("alice", "/account/passkeys/remove")).status, 404);
  assert.equal((await remove("alice", `/users/${id}/passkeys`)).status, 404);
  assert.equal((await remove("erin", `/users/${id}/passkeys`)).status, 303);
  assert.equal(await signIn(world, (options) => device.signIn(options)), null);
  await add(world, "bob");
  assert.equal((await world.api("erin", "DELETE", `/ops/api/users/${id}`)).status, 204);
  for await (const { key } of world.kv.list({ prefix: [] })) assert.ok(key[0] !== "passkeys");
  for await (const { key } of world.kv.list({ prefix: [] })) {
    assert.ok(key[0] !== "passkeys_by_credential");
  }
});

Deno.test("an admin who sets Bob's password ends his passkeys, unless they say otherwise", async () => {
  await using world = await newPasskeyWorld();
  const device = await add(world, "bob");
  const path = `/ops/api/users/${world.people.bob.id}/password`;
  const set = (body: object) => world.api("erin", "POST", path, { password: "x", ...body });
  assert.equal((await set({ revoke_tokens: false })).status, 204);
  assert.equal(await signIn(world, (options) => device.signIn(options)), "bob");
  assert.equal((await set({})).status, 204);
  assert.equal(await signIn(world, (options) => device.signIn(options)), null);
});

Deno.test("passkeys are offered where browsers have them, and passwords sign in", async () => {
  const offered = async (config: object) => {
    await using world = await newWorld({ config });
    const html = await (await world.get(null, "/auth/login")).text();
    const asked = await world.request("/auth/passkey/options", { method: "POST" });
    await asked.body?.cancel();
    assert.equal(asked.status, html.includes("needs-script") ? 200 : 403);
    return asked.status === 200;
  };
  assert.equal(await offered({ url: new URL("https://callboard.test") }), true);
  assert.equal(await offered({ url: new URL("http://localhost:3000") }), true);
  assert.equal(await offered({ url: new URL("http://callboard.test") }), false);
  assert.equal(await offered({ url: new URL("https://192.0.2.7") }), false);
  assert.equal(await offered({ url: new URL("https://[2001:db8::1]") }), false);
  assert.equal(await offered({}), false, "whatever name a request says");
  const url = new URL("https://callboard.test");
  assert.equal(await offered({ url, passwordSignIn: false }), false);
});

Deno.test("no one fills the store with what is to be signed", async () => {
  await using world = await newPasskeyWorld();
  for (let n = 0; n < 60; n++) await challenge(world);
  const refused = await send(world, "/auth/passkey/options", "");
  assert.equal(refused.status, 429);
  assert.match(await refused.text(), /Too many/);
  world.clock.advance(10_000);
  await challenge(world);
});

Deno.test("a wrong password is reported before a device creates a passkey that no one could use", async () => {
  await using world = await newPasskeyWorld();
  for (const current_password of ["", "guess"]) {
    const form = { current_password };
    const answer = await send(world, "/account/passkeys/options", sessionOf(world, "bob"), form);
    assert.equal(answer.status, 400);
    assert.equal(await answer.text(), "This is not your current password.");
  }
});
