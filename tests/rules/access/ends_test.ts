import assert from "node:assert/strict";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

/** Signs in once more and returns the headers that a browser would send from then on. */
async function signIn(world: World, auth: Person, address = "192.0.2.50") {
  const response = await world.request("/api/auth/login", {
    method: "POST",
    headers: { "User-Agent": "Lynx/2.9" },
    body: JSON.stringify({ auth, password: PASSWORD }),
    address,
  });
  assert.equal(response.status, 204);
  return { Cookie: response.headers.getSetCookie()[0].split(";")[0] };
}

async function makeToken(world: World, person: Person, name = "ci") {
  const { body } = await world.api(person, "POST", "/api/user/tokens", { name });
  return { id: body.id.slice(0, 8), headers: { Authorization: `Bearer ${body.id}` } };
}

const isIn = async (world: World, headers: HeadersInit) =>
  (await readAnswer(await world.request("/api/user", { headers }))).status === 200;

Deno.test("a password that an admin sets ends the person's sessions and tokens", async () => {
  const changes: [string, string, (id: number) => unknown][] = [
    ["POST", "/password", () => ({ password: "reset" })],
    ["PUT", "", () => ({ name: "B", username: "bob", email: "b@example.com", password: "reset" })],
  ];
  for (const [method, path, body] of changes) {
    for (const revoke_tokens of [undefined, true, false]) {
      await using world = await newWorld();
      const { id } = world.people.bob;
      const session = await signIn(world, "bob");
      const token = await makeToken(world, "bob");
      const form = { ...body(id) as object, revoke_tokens };
      const { status } = await world.api("erin", method, `/api/users/${id}${path}`, form);
      assert.equal(status, 204);
      assert.equal(await isIn(world, session), false);
      assert.equal(await isIn(world, token.headers), revoke_tokens === false, `${revoke_tokens}`);
      assert.equal((await world.api("erin", "GET", "/api/user")).status, 200);
    }
  }
});

Deno.test("one's own new password ends the other sessions, and tokens only when that is said", async () => {
  await using world = await newWorld();
  const path = `/api/users/${world.people.bob.id}/password`;
  const other = await signIn(world, "bob");
  const token = await makeToken(world, "bob");
  const change = (body: unknown) => world.api("bob", "POST", path, body);
  const first = { current_password: PASSWORD, password: "new" };
  assert.equal((await change(first)).status, 204);
  assert.equal(await isIn(world, other), false);
  assert.equal(await isIn(world, token.headers), true);
  const second = { current_password: "new", password: "newer", revoke_tokens: true };
  assert.equal((await change(second)).status, 204);
  assert.equal(await isIn(world, token.headers), false);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200, "this session goes on");
});

Deno.test("a form decides about tokens by its box, on the page of an account", async () => {
  for (const ticked of [true, false]) {
    await using world = await newWorld();
    const { id } = world.people.bob;
    const page = await (await world.get("erin", `/users/${id}`)).text();
    assert.match(page, /<input[^>]*name="revoke_tokens"[^>]*checked/, "ticked unless unticked");
    const token = await makeToken(world, "bob");
    const form = { name: "Bob", username: "bob", email: "bob@example.com", password: "reset" };
    const sent = ticked ? { ...form, revoke_tokens: "true" } : form;
    assert.equal((await world.post("erin", `/users/${id}`, sent)).status, 303);
    assert.equal(await isIn(world, token.headers), !ticked);
  }
});

Deno.test("an admin sees where someone is signed in, and ends one session or all", async () => {
  await using world = await newWorld();
  const path = `/api/users/${world.people.bob.id}/sessions`;
  world.clock.advance(60_000);
  const lynx = await signIn(world, "bob");
  const { body } = await world.api("erin", "GET", path);
  assert.deepEqual(body[0], {
    id: body[0].id,
    created: "2024-05-02T10:12:12.000Z",
    last_active: "2024-05-02T10:12:12.000Z",
    address: "192.0.2.50",
    user_agent: "Lynx/2.9",
    current: false,
  });
  assert.equal(body.length, 2);
  assert.ok(!JSON.stringify(body).includes(world.people.bob.token.slice(0, 20)));
  assert.equal((await world.api("erin", "DELETE", `${path}/${body[0].id}`)).status, 204);
  assert.equal(await isIn(world, lynx), false);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
  assert.equal((await world.api("erin", "DELETE", `${path}/${body[0].id}`)).status, 404);
  assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
  assert.equal((await world.api("erin", "GET", "/api/users/999/sessions")).status, 404);
  const told = (await world.api("erin", "GET", "/api/events")).body
    .map(({ description }: { description: string }) => description);
  assert.ok(told.includes('A session of user "bob" was ended'), told.join());
});

Deno.test("Bob ends a session of his, and all but this one; no one else's", async () => {
  await using world = await newWorld();
  const [one, two] = [await signIn(world, "bob"), await signIn(world, "bob")];
  const { body } = await world.api("bob", "GET", "/api/user/sessions");
  assert.deepEqual(body.map(({ current }: { current: boolean }) => current).toSorted(), [
    ...[false, false, true],
  ]);
  const carols = (await world.api("carol", "GET", "/api/user/sessions")).body[0].id;
  assert.equal((await world.api("bob", "DELETE", `/api/user/sessions/${carols}`)).status, 404);
  assert.equal((await world.api("bob", "DELETE", "/api/user/sessions")).status, 204);
  assert.deepEqual([await isIn(world, one), await isIn(world, two)], [false, false]);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
});

Deno.test("an admin sees someone's tokens by their first letters, and revokes one or all", async () => {
  await using world = await newWorld();
  const path = `/api/users/${world.people.bob.id}/tokens`;
  const [first, second, third] = [
    await makeToken(world, "bob", "one"),
    await makeToken(world, "bob", "two"),
    await makeToken(world, "bob", "three"),
  ];
  const { body } = await world.api("erin", "GET", path);
  assert.deepEqual(
    body.map(({ id, name }: { id: string; name: string }) => [id, name]).toSorted(),
    [[first.id, "one"], [second.id, "two"], [third.id, "three"]].toSorted(),
  );
  assert.equal((await world.api("erin", "DELETE", `${path}/${first.id}`)).status, 204);
  assert.equal(await isIn(world, first.headers), false);
  assert.equal(await isIn(world, second.headers), true);
  const carols = await makeToken(world, "carol");
  assert.equal((await world.api("erin", "DELETE", `${path}/${carols.id}`)).status, 404);
  assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  assert.deepEqual([await isIn(world, second.headers), await isIn(world, third.headers)], [
    ...[false, false],
  ]);
  assert.equal(await isIn(world, carols.headers), true);
});

Deno.test("a session or token that is ended while it creates tokens leaves none behind", async () => {
  for (let round = 0; round < 40; round++) {
    await using world = await newWorld();
    const { id } = world.people.bob;
    const session = { Cookie: `callboard=${world.people.bob.token}` };
    const { headers } = round % 2 ? await makeToken(world, "bob") : { headers: session };
    const make = async () => {
      for (let n = 0; n < round / 4; n++) {
        await (await world.request("/api/user/tokens", { method: "POST", headers })).body?.cancel();
      }
    };
    await Promise.all([
      make(),
      world.api("erin", "POST", `/api/users/${id}/password`, { password: "reset" }),
    ]);
    await make();
    const { body } = await world.api("erin", "GET", `/api/users/${id}/tokens`);
    assert.deepEqual(body, [], `round ${round}`);
  }
});

Deno.test("on the page of the account, sessions are ended, and tokens created, shown once and revoked", async () => {
  await using world = await newWorld();
  const other = await signIn(world, "bob");
  const page = async (part = "security") =>
    await (await world.get("bob", `/account/${part}`)).text();
  const [, session] = /name="session" value="([^"]+)"/.exec(await page())!;
  assert.match(await page(), /Lynx\/2\.9/);
  assert.equal((await world.post("bob", "/account/sessions", { session })).status, 303);
  assert.equal(await isIn(world, other), false);
  const others = await signIn(world, "bob");
  assert.equal((await world.post("bob", "/account/sessions")).status, 303);
  assert.equal(await isIn(world, others), false);
  assert.equal((await world.get("bob", "/account")).status, 200, "this session goes on");

  const made = await world.post("bob", "/account/tokens", {
    name: "ci",
    expires_at: "2024-06-01",
    scopes: ["read"],
  });
  assert.equal(made.status, 200);
  const [, token] = /<code[^>]*>([\w-]{43}\.\d+)<\/code>/.exec(await made.text())!;
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal(await isIn(world, headers), true);
  const shown = await page("tokens");
  assert.ok(shown.includes(`${token.slice(0, 8)}…`) && !shown.includes(token));
  for (const expires_at of ["2024-05-01", "tomorrow", "2024-13-01"]) {
    const refused = await world.post("bob", "/account/tokens", {
      name: "kept",
      expires_at,
      scopes: ["read"],
    });
    assert.equal(refused.status, 422, expires_at);
    const html = await refused.text();
    assert.match(html, /name="expires_at"[^>]*aria-invalid="true"/, expires_at);
    assert.match(html, /value="kept"/);
  }
  const revoke = { token: token.slice(0, 8) };
  assert.equal((await world.post("bob", "/account/tokens/revoke", revoke)).status, 303);
  assert.equal(await isIn(world, headers), false);
  assert.match(await page("tokens"), /No API tokens yet/);
});

Deno.test("on the page of someone else, an admin ends sessions and revokes tokens", async () => {
  await using world = await newWorld();
  const path = `/users/${world.people.bob.id}`;
  const lynx = await signIn(world, "bob");
  const [one, two] = [await makeToken(world, "bob", "one"), await makeToken(world, "bob", "two")];
  const html = await (await world.get("erin", path)).text();
  for (const text of ["Lynx/2.9", "192.0.2.50", `${one.id}…`, "two"]) {
    assert.ok(html.includes(text));
  }
  const [, session] = /name="session" value="([^"]+)"/.exec(html)!;
  await world.post("erin", `${path}/sessions`, { session });
  assert.equal(Number(await isIn(world, lynx)) + (await bobsStatus(world) === 200 ? 1 : 0), 1);
  await world.post("erin", `${path}/tokens`, { token: one.id });
  assert.deepEqual([await isIn(world, one.headers), await isIn(world, two.headers)], [false, true]);
  await world.post("erin", `${path}/sessions`);
  await world.post("erin", `${path}/tokens`);
  assert.equal(await isIn(world, lynx), false);
  assert.equal(await bobsStatus(world), 401);
  assert.equal(await isIn(world, two.headers), false);
  for (const part of ["sessions", "tokens"]) {
    assert.equal((await world.post("alice", `${path}/${part}`)).status, 404, "for admins only");
  }
});

const bobsStatus = async (world: World) => (await world.api("bob", "GET", "/api/user")).status;

Deno.test("a change that repeats the account's password ends nothing", async () => {
  await using world = await newWorld();
  const { body: token } = await world.api("bob", "POST", "/api/user/tokens", {});
  const bob = { name: "Bob", username: "bob", email: "bob@example.com" };
  const change = async (password: string) => {
    const path = `/api/users/${world.people.bob.id}`;
    assert.equal((await world.api("erin", "PUT", path, { ...bob, password })).status, 204);
    const headers = { Authorization: `Bearer ${token.id}` };
    return (await world.request("/api/user", { headers })).status;
  };
  assert.equal(await change(PASSWORD), 200);
  assert.equal(await change("another one entirely"), 401);
});
