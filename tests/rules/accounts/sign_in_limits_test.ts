import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

interface From {
  address?: string;
  cookie?: string;
  headers?: Record<string, string>;
}

/** Signs in through the API. */
async function signIn(world: World, auth: string, password: string, from: From = {}) {
  const response = await world.request("/api/auth/login", {
    method: "POST",
    headers: { Cookie: from.cookie ?? "", ...from.headers },
    body: JSON.stringify({ auth, password }),
    address: from.address,
  });
  await response.body?.cancel();
  return response;
}

const statusOf = async (...call: Parameters<typeof signIn>) => (await signIn(...call)).status;

const deviceOf = (response: Response) =>
  `callboard_device=${encodeURIComponent(cookiesOf(response).callboard_device)}`;

/** Guesses from as many addresses as it takes, until unknown devices have to wait. */
async function lockOut(world: World, auth = "bob") {
  for (let n = 0; n < 5; n++) {
    assert.equal(await statusOf(world, auth, "guess", { address: `203.0.113.${n}` }), 401);
  }
  assert.equal(await statusOf(world, auth, PASSWORD, { address: "203.0.113.99" }), 429);
}

const HOME = "198.51.100.7";

Deno.test("guesses from anywhere do not lock Bob out where he has signed in before", async () => {
  await using world = await newWorld();
  const first = await signIn(world, "bob", PASSWORD, { address: HOME });
  assert.equal(first.status, 204);
  await lockOut(world);
  assert.equal(await statusOf(world, "bob", PASSWORD, { address: HOME }), 204, "his address");
  await lockOutStill(world);
  const cookie = deviceOf(first);
  const away = { address: "192.0.2.200", cookie };
  assert.equal(await statusOf(world, "bob", PASSWORD, away), 204, "his browser, elsewhere");
  await lockOutStill(world);
  const page = await world.request("/auth/login", {
    method: "POST",
    headers: { Cookie: cookie, Origin: "http://callboard.test" },
    body: new URLSearchParams({ auth: "bob@example.com", password: PASSWORD }),
    address: "192.0.2.201",
  });
  assert.equal(page.status, 303, "by the page, too");
  assert.equal(cookiesOf(page).callboard_device, undefined, "it is known, and gets no other one");
});

/** Checks that a known device's sign-in does not unlock unknown ones. */
async function lockOutStill(world: World) {
  assert.equal(await statusOf(world, "bob", PASSWORD, { address: "203.0.113.98" }), 429);
}

Deno.test("whom the account knows has a counter of its own, and waits as everyone", async () => {
  await using world = await newWorld();
  const cookie = deviceOf(await signIn(world, "bob", PASSWORD, { address: HOME }));
  const other = deviceOf(await signIn(world, "bob", PASSWORD, { address: HOME }));
  for (const from of [{ cookie, address: "192.0.2.9" }, { address: HOME }]) {
    for (let n = 0; n < 5; n++) assert.equal(await statusOf(world, "bob", "guess", from), 401);
    const refused = await signIn(world, "bob", PASSWORD, from);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "1");
  }
  assert.equal(await statusOf(world, "bob", PASSWORD, { cookie: other }), 204);
  assert.equal(await statusOf(world, "bob", "guess"), 401, "strangers are counted by themselves");
});

Deno.test("another account's browser, and a made-up one, are strangers", async () => {
  await using world = await newWorld();
  const carols = deviceOf(await signIn(world, "carol", PASSWORD, { address: HOME }));
  const bobs = deviceOf(await signIn(world, "bob", PASSWORD, { address: HOME }));
  await lockOut(world);
  const sealed = Buffer.from(await world.deps.secrets.seal(`session ${world.people.bob.id} x`));
  const forged = [
    carols,
    bobs.slice(0, -3) + (bobs.endsWith("AAA") ? "BBB" : "AAA"),
    `callboard_device=${sealed.toString("base64url")}`,
    `callboard_device=${world.people.bob.token}`,
    `callboard_device=${"A".repeat(5000)}`,
    "callboard_device=%ff",
  ];
  for (const cookie of forged) {
    assert.equal(await statusOf(world, "bob", PASSWORD, { cookie }), 429, cookie.slice(0, 60));
  }
});

Deno.test("an address is known by its network, as the trusted proxy reports it", async () => {
  await using world = await newWorld({
    config: { trustProxy: true },
  });
  const by = (address: string): From => ({
    address: "127.0.0.1",
    headers: { "X-Forwarded-For": `203.0.113.1, ${address}` },
  });
  assert.equal(await statusOf(world, "bob", PASSWORD, by("2001:db8:1:2::5")), 204);
  for (let n = 0; n < 5; n++) await signIn(world, "bob", "guess", by(`2001:db8:${n}::1`));
  assert.equal(await statusOf(world, "bob", PASSWORD, by("2001:db8:1:3::5")), 429);
  assert.equal(await statusOf(world, "bob", PASSWORD, by("2001:db8:1:2:9:9:9:9")), 204);
});

Deno.test("an account that there is not behaves as one that there is", async () => {
  await using world = await newWorld();
  await signIn(world, "bob", PASSWORD, { address: HOME });
  const seen = async (login: string) => {
    const answers: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { status, headers } = await signIn(world, login, "guess", {
        address: `2001:db8:${n}::`,
      });
      answers.push(`${status} ${headers.get("retry-after")} ${headers.getSetCookie()}`);
      if (n === 8) world.clock.advance(1000);
    }
    return answers;
  };
  assert.deepEqual(await seen("bob"), await seen("nobody"));
});

Deno.test("a clock that is set back makes no wait longer than it was", async () => {
  for (const backMs of [1, 10_000, 60_000, 3_600_000, 400 * 86_400_000]) {
    await using world = await newWorld();
    const attempt = async (password: string) => {
      const { status, headers } = await signIn(world, "bob", password);
      return { status, waitMs: Number(headers.get("retry-after")) * 1000 };
    };
    let before = 0;
    for (let n = 0; n < 11; n++) {
      if ((await attempt("guess")).status !== 429) continue;
      before = (await attempt("guess")).waitMs;
      world.clock.advance(before);
    }
    world.clock.advance(3000);
    const told = (await attempt(PASSWORD)).waitMs;
    const ownMs = Math.max(told, 2 * before);
    world.clock.advance(-backMs);
    const { status, waitMs } = await attempt(PASSWORD);
    assert.ok(waitMs <= ownMs, `${waitMs} ms after ${backMs} ms back, ${ownMs} ms before`);
    if (status === 204) continue;
    world.clock.advance(waitMs);
    assert.equal((await attempt(PASSWORD)).status, 204);
  }
});

Deno.test("a good sign-in leaves no count behind, and nothing stays of a deleted account", async () => {
  await using world = await newWorld();
  const { id } = world.people.carol;
  for (const address of [HOME, HOME, "2001:db8::1", "2001:db8::2"]) {
    await signIn(world, "carol", "a typo", { address });
    assert.equal(await statusOf(world, "carol", PASSWORD, { address }), 204);
  }
  const count = async (prefix: Deno.KvKey) =>
    (await Array.fromAsync(world.kv.list({ prefix }))).length;
  assert.equal(await count(["sign_in_failures", "account"]), 0);
  assert.equal(await count(["sign_in_failures", "device"]), 0);
  assert.equal(await count(rowKeys.knownNetworks(id)), 2, "one for each network");
  assert.equal((await world.api("erin", "DELETE", `/api/users/${id}`)).status, 204);
  assert.equal(await count(rowKeys.knownNetworks(id)), 0);
});

Deno.test("a browser's cookie is kept from scripts and other sites", async () => {
  await using world = await newWorld();
  const { headers } = await signIn(world, "bob", PASSWORD);
  const cookie = headers.getSetCookie().find((one) => one.startsWith("callboard_device="))!;
  for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=31536000"]) {
    assert.ok(cookie.includes(part), part);
  }
});

/**
 * Makes checking a password take a moment, as on a server. Returns a function that counts the
 * checks.
 */
function slowPasswords({ deps: { passwords } }: World): () => number {
  let checked = 0;
  const { verify } = passwords;
  passwords.verify = async (...call) => {
    checked++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return await verify(...call);
  };
  return () => checked;
}

Deno.test("six who sign in at the same time from one address all come in", async () => {
  await using world = await newWorld();
  slowPasswords(world);
  for (const from of [{ address: "203.0.113.5" }, { address: "203.0.113.5" }]) {
    const calls = Array.from({ length: 12 }, () => statusOf(world, "bob", PASSWORD, from));
    assert.deepEqual(await Promise.all(calls), Array(12).fill(204));
  }
  const logins = ["alice", "bob", "carol", "dave", "erin", "mike"];
  const office = Array.from(
    { length: 36 },
    (_, n) => statusOf(world, logins[n % 6], PASSWORD, { address: "198.51.100.1" }),
  );
  assert.deepEqual(await Promise.all(office), Array(36).fill(204));
});

Deno.test("guesses in parallel to good sign-ins are not more than one after the other", async () => {
  await using world = await newWorld();
  const checked = slowPasswords(world);
  const from = { address: "203.0.113.5" };
  const guesses = Array.from({ length: 150 }, () => statusOf(world, "bob", "guess", from));
  const statuses = await Promise.all(guesses);
  assert.equal(checked(), 5);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 145);
  assert.equal(await statusOf(world, "bob", PASSWORD, from), 429, "who fails waits");
  world.clock.advance(30 * 60_000);
  const late = [PASSWORD, "guess", "guess"].map((text) => statusOf(world, "bob", text, from));
  assert.deepEqual((await Promise.all(late)).toSorted(), [204, 401, 401], "nothing is stuck");
});
