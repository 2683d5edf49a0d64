import assert from "node:assert/strict";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const signIn = async (world: World, auth: string, password: string, address?: string) =>
  await readAnswer(
    await world.request("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ auth, password }),
      address,
    }),
  );

const cookiesOf = (headers: Headers) =>
  headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");

const me = async (world: World, headers: HeadersInit) =>
  await readAnswer(await world.request("/api/user", { headers }));

Deno.test("the server answers pong, and 404 for calls that the API does not have", async () => {
  await using world = await newWorld();
  const pong = await world.request("/api/ping");
  assert.equal(await pong.text(), "pong");
  assert.match(pong.headers.get("content-type")!, /^text\/plain/);
  const nothing = await world.api(null, "POST", "/api/no/such/thing");
  assert.equal(nothing.status, 404);
  assert.equal(typeof nothing.body.error, "string");
});

Deno.test("info has version, Ansible and the public address", async () => {
  const url = new URL("https://callboard.example/board");
  await using world = await newWorld({ config: { url, basePath: "/board" } });
  const { status, body } = await world.api("carol", "GET", "/board/api/info");
  assert.equal(status, 200);
  assert.equal(body.version, "0.0.0-test");
  assert.match(body.ansible, /core 2\.19/);
  assert.equal(body.web_host, "https://callboard.example/board");
  assert.equal(body.use_remote_runner, false);
  assert.equal(typeof body.schedule_timezone, "string");
  assert.equal((await world.api(null, "GET", "/board/api/info")).status, 401);
});

Deno.test("Bob signs in by username or e-mail address, in capitals too", async () => {
  await using world = await newWorld();
  for (const auth of ["bob", "BOB", "Bob@Example.com"]) {
    const answer = await signIn(world, auth, PASSWORD);
    assert.equal(answer.status, 204);
    assert.equal(answer.body, null);
    const { body } = await me(world, { Cookie: cookiesOf(answer.headers) });
    assert.equal(body.username, "bob");
  }
});

Deno.test("the session's cookie is kept from scripts and other sites, the marker is harmless", async () => {
  await using world = await newWorld();
  const { headers } = await signIn(world, "bob", PASSWORD);
  const [session, marker] = headers.getSetCookie();
  assert.match(session, /^callboard=[\w.-]{40,};/);
  for (const part of ["HttpOnly", "SameSite=Lax", "Path=/"]) {
    assert.ok(session.includes(part), part);
  }
  assert.ok(!session.includes("Secure"), "over plain http the browser would drop it");
  assert.match(marker, /^callboard_signed_in=1;/);
  assert.ok(!marker.includes("HttpOnly"));
});

Deno.test("under https and a sub-path the cookies are Secure and stay below it", async () => {
  const url = new URL("https://callboard.example/board");
  await using world = await newWorld({ config: { url, basePath: "/board" } });
  const response = await world.request("/board/api/auth/login/", {
    method: "POST",
    body: JSON.stringify({ auth: "bob", password: PASSWORD }),
  });
  assert.equal(response.status, 204);
  for (const cookie of response.headers.getSetCookie()) {
    assert.match(cookie, /; Path=\/board;/);
    assert.match(cookie, /; Secure/);
  }
});

Deno.test("a wrong password, an unknown account and an external one all get the same 401", async () => {
  await using world = await newWorld();
  await world.api("erin", "POST", "/api/users", {
    name: "Olga",
    username: "olga",
    email: "olga@example.com",
    password: PASSWORD,
    external: true,
  });
  const answers = [
    await signIn(world, "bob", "wrong"),
    await signIn(world, "nobody", PASSWORD),
    await signIn(world, "olga", PASSWORD),
  ];
  for (const { status, body, headers } of answers) {
    assert.equal(status, 401);
    // Each answer names its own request.
    assert.deepEqual({ ...body, request_id: "" }, { ...answers[0].body, request_id: "" });
    assert.equal(headers.getSetCookie().length, 0);
  }
  assert.equal((await signIn(world, "", "")).status, 400);
});

Deno.test("a sign-in for an unknown account costs a password hash too", async () => {
  const hashed: string[] = [];
  await using world = await newWorld({
    deps: {
      passwords: {
        hash: (password) => Promise.resolve(`encoded ${password}`),
        verify(_, encoded) {
          hashed.push(String(encoded));
          return Promise.resolve(false);
        },
      },
    },
  });
  await signIn(world, "nobody", "guess");
  await signIn(world, "bob", "guess");
  assert.deepEqual(hashed, ["null", `encoded ${PASSWORD}`]);
});

Deno.test("with passwords disabled, signing in with one is refused", async () => {
  await using world = await newWorld({ config: { passwordSignIn: false } });
  const options = await world.api(null, "GET", "/api/auth/login");
  assert.deepEqual(options.body, { oidc_providers: [], login_with_password: false });
  assert.equal((await signIn(world, "bob", PASSWORD)).status, 403);
});

Deno.test("signing out ends the session on the server", async () => {
  await using world = await newWorld();
  const cookie = cookiesOf((await signIn(world, "bob", PASSWORD)).headers);
  const out = await world.request("/api/auth/logout", { method: "POST", headers: { cookie } });
  assert.equal(out.status, 204);
  for (const cleared of out.headers.getSetCookie()) assert.match(cleared, /Max-Age=0/);
  assert.equal((await me(world, { cookie })).status, 401);
  assert.deepEqual(world.messages.at(-1), {
    type: "access",
    project_id: null,
    user_id: world.people.bob.id,
  });
  assert.equal((await world.api(null, "POST", "/api/auth/logout")).status, 204);
});

Deno.test("signing in again ends the browser's old session", async () => {
  await using world = await newWorld();
  const cookie = cookiesOf((await signIn(world, "bob", PASSWORD)).headers);
  await world.request("/api/auth/login", {
    method: "POST",
    headers: { cookie },
    body: JSON.stringify({ auth: "bob", password: PASSWORD }),
  });
  assert.equal((await me(world, { cookie })).status, 401);
});

const DAY = 86_400_000;

Deno.test("a session slides while it is used, and ends after a week without use", async () => {
  await using world = await newWorld();
  world.clock.advance(6 * DAY);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
  world.clock.advance(6 * DAY);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
  assert.equal((await world.api("alice", "GET", "/api/user")).status, 401);
  world.clock.advance(7 * DAY);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
});

Deno.test("a session ends after 30 days however much it is used", async () => {
  await using world = await newWorld();
  for (let day = 0; day < 29; day += 5) {
    assert.equal((await world.api("bob", "GET", "/api/user")).status, 200, `day ${day}`);
    world.clock.advance(5 * DAY);
  }
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
});

Deno.test("reading pages writes a session's row every few minutes at most", async () => {
  await using world = await newWorld();
  const key = rowKeys.session(world.people.bob.actor.credential.hash);
  const version = async () => (await world.kv.get(key)).versionstamp;
  const first = await version();
  await world.api("bob", "GET", "/api/user");
  world.clock.advance(4 * 60_000);
  await world.api("bob", "GET", "/api/user");
  assert.equal(await version(), first);
  world.clock.advance(60_000);
  await world.api("bob", "GET", "/api/user");
  assert.notEqual(await version(), first);
});

Deno.test("a changed letter in the token, or another user's id, is no one's session", async () => {
  await using world = await newWorld();
  const { token } = world.people.bob;
  const other = token[5] === "A" ? "B" : "A";
  const forged = [
    token.slice(0, 5) + other + token.slice(6),
    token.replace(/\.\d+$/, `.${world.people.erin.id}`),
    token.replace(/\.\d+$/, ""),
    token.toLowerCase(),
    "",
  ];
  for (const value of forged) {
    assert.equal((await me(world, { Cookie: `callboard=${value}` })).status, 401, value);
  }
});

Deno.test("no row of the database holds a token or a password", async () => {
  await using world = await newWorld();
  const { body } = await world.api("bob", "POST", "/api/user/tokens", { name: "ci" });
  for await (const entry of world.kv.list({ prefix: [] })) {
    const row = Deno.inspect(entry, { depth: 20, strAbbreviateSize: Infinity });
    for (const secret of [world.people.bob.token, body.id, PASSWORD]) {
      assert.ok(!row.includes(secret.slice(0, 43)), row);
    }
  }
});

Deno.test("failed sign-ins of an account make the next ones wait, longer each time", async () => {
  await using world = await newWorld();
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await signIn(world, "bob", "wrong", `203.0.113.${attempt}`)).status, 401);
  }
  const blocked = await signIn(world, "BOB", PASSWORD, "203.0.113.99");
  assert.equal(blocked.status, 429);
  assert.equal(blocked.headers.get("retry-after"), "1");
  assert.equal((await signIn(world, "alice", PASSWORD)).status, 204);

  world.clock.advance(1000);
  assert.equal((await signIn(world, "bob", "wrong")).status, 401);
  assert.equal((await signIn(world, "bob", PASSWORD)).headers.get("retry-after"), "2");
  world.clock.advance(2000);
  assert.equal((await signIn(world, "bob", PASSWORD)).status, 204);
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await signIn(world, "bob", "wrong")).status, 401, "a success forgives");
  }
});

Deno.test("an account that is attacked without end waits for five minutes at most", async () => {
  await using world = await newWorld();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 60; attempt++) {
    const { status, headers } = await signIn(world, "bob", "wrong", `203.0.113.${attempt}`);
    if (status === 401) continue;
    waits.push(Number(headers.get("retry-after")));
    world.clock.advance(waits.at(-1)! * 1000);
  }
  assert.deepEqual(waits.slice(0, 6), [1, 2, 4, 8, 16, 32]);
  const longest = Math.max(...waits);
  assert.ok(longest > 200 && longest <= 300, String(longest));
  assert.equal((await signIn(world, "bob", PASSWORD, "203.0.113.200")).status, 204);
});

Deno.test("an office behind one address does not lock itself out by a typing error now and then", async () => {
  await using world = await newWorld();
  for (let minute = 0; minute < 100; minute++) {
    assert.equal((await signIn(world, `typo${minute}`, "wrong")).status, 401);
    assert.equal((await signIn(world, "bob", PASSWORD)).status, 204);
    world.clock.advance(60_000);
  }
});

Deno.test("one address cannot try a password on many accounts; others are not held up", async () => {
  await using world = await newWorld();
  const address = "2001:db8:1:2:aaaa::1";
  for (let guess = 0; guess < 20; guess++) {
    assert.equal((await signIn(world, `user${guess}`, "secret", address)).status, 401);
  }
  const neighbour = "2001:db8:1:2:bbbb::7";
  assert.equal((await signIn(world, "bob", PASSWORD, neighbour)).status, 429);
  assert.equal((await signIn(world, "bob", PASSWORD, "2001:db8:1:3::1")).status, 204);
});

Deno.test("behind a trusted proxy the address is the one that the proxy saw", async () => {
  await using world = await newWorld({ config: { trustProxy: true } });
  const guess = async (forwarded: string, password: string, auth: string) =>
    (await world.request("/api/auth/login", {
      method: "POST",
      headers: { "X-Forwarded-For": forwarded },
      body: JSON.stringify({ auth, password }),
    })).status;
  for (let n = 0; n < 20; n++) {
    assert.equal(await guess(`198.51.100.${n}, 203.0.113.9`, "wrong", `user${n}`), 401);
  }
  assert.equal(await guess("198.51.100.77, 203.0.113.9", PASSWORD, "bob"), 429);
  assert.equal(await guess("203.0.113.10", PASSWORD, "bob"), 204);
});

Deno.test("parallel guesses do not pass the limiter together", async () => {
  await using world = await newWorld();
  const guesses = Array.from({ length: 40 }, () => signIn(world, "bob", "wrong"));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 35);
});

Deno.test("Bob's API token signs him in until it expires or is deleted", async () => {
  await using world = await newWorld();
  const expires_at = "2024-05-03T00:00:00+02:00";
  const made = await world.api("bob", "POST", "/api/user/tokens", { name: "ci", expires_at });
  assert.equal(made.status, 201);
  assert.deepEqual({ ...made.body, id: "" }, {
    id: "",
    name: "ci",
    created: "2024-05-02T10:11:12.000Z",
    expires_at: "2024-05-02T22:00:00.000Z",
    expired: false,
    last_address: null,
    may_make_tokens: false,
    scopes: null,
    project_ids: null,
    template_ids: null,
    networks: null,
    last_used: null,
    user_id: world.people.bob.id,
  });
  const headers = { Authorization: `Bearer ${made.body.id}` };
  assert.equal((await me(world, headers)).body.username, "bob");
  assert.equal((await me(world, { Authorization: `bearer  ${made.body.id}` })).status, 200);
  assert.equal(
    (await me(world, { Authorization: headers.Authorization.toLowerCase() })).status,
    401,
  );

  const [listed] = (await world.api("bob", "GET", "/api/user/tokens")).body;
  assert.equal(listed.id, made.body.id.slice(0, 8));
  assert.equal(listed.last_used, "2024-05-02T10:11:12.000Z");

  world.clock.set("2024-05-02T22:00:00Z");
  assert.equal((await me(world, headers)).status, 401);
  const [expired] = (await world.api("bob", "GET", "/api/user/tokens")).body;
  assert.equal(expired.expired, true);
});

Deno.test("a token is deleted by its first letters or as a whole, and by its owner only", async () => {
  await using world = await newWorld();
  for (const part of [8, 100]) {
    const { body } = await world.api("bob", "POST", "/api/user/tokens");
    const path = `/api/user/tokens/${body.id.slice(0, part)}`;
    assert.equal((await world.api("carol", "DELETE", path)).status, 404);
    assert.equal((await world.api("bob", "DELETE", path)).status, 204);
    assert.equal((await me(world, { Authorization: `Bearer ${body.id}` })).status, 401);
    assert.equal((await world.api("bob", "DELETE", path)).status, 404);
  }
  assert.deepEqual((await world.api("bob", "GET", "/api/user/tokens")).body, []);
});

Deno.test("a bad token is not helped by a good cookie, nor a time that has passed accepted", async () => {
  await using world = await newWorld();
  const Cookie = `callboard=${world.people.bob.token}`;
  assert.equal((await me(world, { Cookie, Authorization: "Bearer nonsense" })).status, 401);
  assert.equal((await me(world, { Cookie, Authorization: "Basic Ym9iOmI=" })).status, 200);
  for (const expires_at of ["2024-05-02T10:11:12Z", "tomorrow", 12]) {
    const { status, body } = await world.api("bob", "POST", "/api/user/tokens", { expires_at });
    assert.equal(status, 400);
    assert.ok(body.fields.expires_at);
  }
});

Deno.test("a token creates others only if it was created to", async () => {
  await using world = await newWorld();
  const make = async (token: string, body: object = {}) => {
    const init = { method: "POST", headers: { Authorization: `Bearer ${token}` } };
    return await readAnswer(
      await world.request("/api/user/tokens", { ...init, body: JSON.stringify(body) }),
    );
  };
  const { body: plain } = await world.api("bob", "POST", "/api/user/tokens", { name: "ci" });
  assert.equal(plain.may_make_tokens, false);
  const refused = await make(plain.id);
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /may not create other/);
  const { body: maker } = await world.api("bob", "POST", "/api/user/tokens", {
    may_make_tokens: true,
  });
  const made = await make(maker.id, { may_make_tokens: true });
  assert.equal(made.status, 201);
  assert.equal((await make(made.body.id)).status, 201);
});
