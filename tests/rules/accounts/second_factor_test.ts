import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { appOf, enrol, passwordGiven } from "@/tests/support/world/factors.ts";
import { newBrowser, signInWithForm } from "@/tests/support/world/sign_in.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const CODE = "/auth/code";
const FACTOR = "/account/second_factor";

/** Returns the API's answer to a sign-in. */
const signIn = async (world: World, auth: string, more: object = {}) =>
  await readAnswer(
    await world.request("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ auth, password: PASSWORD, ...more }),
    }),
  );

Deno.test("Bob sets a second factor up, and is asked for a code from then on", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browser = await passwordGiven(world, "bob", newBrowser(world), "?next=%2Fqueue%3Fa%3D1");
  assert.equal(
    (await browser.get("/account")).headers.get("location")?.split("?")[0],
    "/auth/login",
  );
  const answer = await browser.post(`${CODE}?next=%2Fqueue%3Fa%3D1`, { code: code() });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("location"), "/queue?a=1");
  const page = await (await browser.get("/account/security")).text();
  assert.match(page, /10 recovery codes left/);
  assert.match(page, /signed in with password and code from 192\.0\.2\.1/);
});

Deno.test("nothing of a second factor is stored in clear, and its codes are shown once", async () => {
  await using world = await newWorld();
  const page = await (await world.get("bob", FACTOR)).text();
  const app = appOf(world, page);
  const { recovery } = await enrol(world, "bob");
  const { value } = await world.kv.get(rowKeys.secondFactor(world.people.bob.id));
  const stored = Deno.inspect(value);
  for (const text of [...recovery, ...recovery.map((text) => text.replaceAll("-", ""))]) {
    assert.ok(!stored.includes(text));
  }
  for (const path of ["/account/security", FACTOR]) {
    const html = await (await world.get("bob", path)).text();
    assert.ok(!recovery.some((text) => html.includes(text)));
    assert.ok(!html.includes("otpauth:"));
  }
  const again = { setup: app.setup, code: app.code(), current_password: PASSWORD };
  assert.equal((await world.post("bob", FACTOR, again)).status, 422, "he has one");
});

Deno.test("a second factor is set up with the password, in the session that saw the secret, and soon", async () => {
  await using world = await newWorld();
  const { setup, code } = appOf(world, await (await world.get("bob", FACTOR)).text());
  const send = (person: "bob" | "alice", form: Record<string, string>) =>
    world.post(person, FACTOR, { setup, code: code(), current_password: PASSWORD, ...form });
  assert.equal((await send("alice", {})).status, 422);
  assert.equal((await send("bob", { current_password: "guess" })).status, 422);
  assert.equal((await send("bob", { code: "000000" })).status, 422);
  assert.equal((await send("bob", { setup: "AAAA" })).status, 422);
  const again = await (await send("bob", { code: "000000" })).text();
  assert.equal(appOf(world, again).code(), code(), "the picture stays the same");
  world.clock.advance(31 * 60_000);
  assert.equal((await send("bob", {})).status, 422);
  const headers = { Authorization: `Bearer ${(await token(world)).id}` };
  const body = new URLSearchParams({ setup, code: code(), current_password: PASSWORD });
  const byToken = await world.request(FACTOR, { method: "POST", headers, body });
  assert.equal(byToken.status, 403, "no API token changes what signs in");
});

const token = async (world: World) => (await world.api("bob", "POST", "/api/user/tokens")).body;

Deno.test("a code that was used counts no more, nor one that is older, in any browser", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const [first, second] = [await passwordGiven(world, "bob"), await passwordGiven(world, "bob")];
  const [used, before] = [code(), code(-1)];
  assert.equal((await first.post(CODE, { code: used })).status, 303);
  for (const replayed of [used, before]) {
    const answer = await second.post(CODE, { code: replayed });
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /wrong or was already used/);
    assert.ok(!second.cookies.callboard);
  }
  assert.equal((await second.post(CODE, { code: code(1) })).status, 303);
});

Deno.test("one code that is sent many times in parallel lets one in", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browsers = await Promise.all(Array.from({ length: 5 }, () => passwordGiven(world, "bob")));
  const answers = await Promise.all(
    browsers.map((browser) => browser.post(CODE, { code: code() })),
  );
  assert.equal(answers.filter(({ status }) => status === 303).length, 1);
});

Deno.test("each recovery code signs in once, however it is typed", async () => {
  await using world = await newWorld();
  const { recovery } = await enrol(world, "bob");
  for (const typed of [recovery[0], recovery[1].toUpperCase().replaceAll("-", " ")]) {
    assert.equal(
      (await (await passwordGiven(world, "bob")).post(CODE, { code: typed })).status,
      303,
    );
    assert.equal(
      (await (await passwordGiven(world, "bob")).post(CODE, { code: typed })).status,
      422,
    );
  }
  assert.match(await (await world.get("bob", "/account/security")).text(), /8 recovery codes left/);
});

Deno.test("new recovery codes replace the old ones, for people who have a code", async () => {
  await using world = await newWorld();
  const { code, recovery } = await enrol(world, "bob");
  const renew = (code: string) => world.post("bob", `${FACTOR}/recovery_codes`, { code });
  assert.equal((await renew("000000")).status, 422);
  const html = await (await renew(code())).text();
  const [fresh] = /<code>([a-z0-9-]{19})<\/code>/.exec(html)!.slice(1);
  const browser = await passwordGiven(world, "bob");
  assert.equal((await browser.post(CODE, { code: recovery[0] })).status, 422);
  assert.equal((await browser.post(CODE, { code: fresh })).status, 303);
});

Deno.test("guesses at codes end the step, and slow down across steps and browsers", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browser = await passwordGiven(world, "bob");
  for (let n = 0; n < 4; n++) {
    assert.equal((await browser.post(CODE, { code: "000000" })).status, 422);
  }
  const last = await browser.post(CODE, { code: "000000" });
  assert.equal(last.headers.get("location"), "/auth/login");
  const over = await browser.post(CODE, { code: code() });
  assert.equal(over.headers.get("location"), "/auth/login", "the right one comes too late");
  const other = await passwordGiven(world, "bob");
  const refused = await other.post(CODE, { code: code() });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /Too many failed attempts/);
  world.clock.advance(60_000);
  assert.equal((await other.post(CODE, { code: code() })).status, 303);
});

Deno.test("a step is one browser's, ends after ten minutes, and with a new password", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const stranger = newBrowser(world);
  assert.equal((await stranger.get(CODE)).headers.get("location"), "/auth/login");
  assert.equal(
    (await stranger.post(CODE, { code: code() })).headers.get("location"),
    "/auth/login",
  );
  stranger.cookies.callboard_step = `${"A".repeat(43)}.${world.people.bob.id}`;
  assert.equal(
    (await stranger.post(CODE, { code: code() })).headers.get("location"),
    "/auth/login",
  );
  const late = await passwordGiven(world, "bob");
  world.clock.advance(10 * 60_000);
  assert.equal((await late.post(CODE, { code: code() })).headers.get("location"), "/auth/login");
  const changed = await passwordGiven(world, "bob");
  const form = { current_password: PASSWORD, password: "another one" };
  assert.equal((await world.post("bob", "/account/password", form)).status, 303);
  assert.equal((await changed.post(CODE, { code: code() })).status, 422);
  assert.ok(!changed.cookies.callboard);
});

Deno.test("a step's cookie is not a session, and a session that a stranger planted stays theirs", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browser = newBrowser(world);
  browser.cookies.callboard = world.people.dave.token;
  const answer = await browser.post("/auth/login", { auth: "bob", password: PASSWORD });
  assert.equal(answer.status, 303);
  const step = browser.cookies.callboard_step;
  assert.equal(
    (await world.request("/api/user", { headers: { Cookie: `callboard=${step}` } })).status,
    401,
  );
  assert.equal(browser.cookies.callboard, world.people.dave.token);
  assert.equal((await browser.post(CODE, { code: code() })).status, 303);
  assert.notEqual(browser.cookies.callboard, world.people.dave.token);
  assert.notEqual(browser.cookies.callboard, step);
});

Deno.test("Bob's browser is remembered for 30 days if he wishes, and until he forgets it", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  const browser = await passwordGiven(world, "bob");
  await browser.post(CODE, { code: code(), remember: "true" });
  const straightIn = async () =>
    (await browser.post("/auth/login", { auth: "bob", password: PASSWORD })).headers.get(
      "location",
    );
  assert.notEqual(await straightIn(), CODE);
  world.clock.advance(29 * 86_400_000);
  assert.notEqual(await straightIn(), CODE);
  world.clock.advance(86_400_000);
  assert.equal(await straightIn(), CODE);

  await browser.post(CODE, { code: code(), remember: "true" });
  const [, id] = /id="browser-([\w-]+)"/.exec(
    await (await browser.get("/account/security")).text(),
  )!;
  const { browser: alice } = await signInWithForm(world, "alice");
  assert.equal((await alice.post("/account/browsers", { browser: id })).status, 404);
  assert.equal((await browser.post("/account/browsers", { browser: id })).status, 303);
  assert.equal(await straightIn(), CODE);
});

Deno.test("a browser that one account remembers is asked by the others", async () => {
  await using world = await newWorld();
  const bob = await enrol(world, "bob");
  const alice = await enrol(world, "alice");
  const browser = await passwordGiven(world, "bob");
  await browser.post(CODE, { code: bob.code(), remember: "true" });
  const { callboard_trusted: cookie } = browser.cookies;
  await browser.post("/auth/logout", {});
  await passwordGiven(world, "alice", browser);
  const forged = newBrowser(world);
  forged.cookies.callboard_trusted = cookie.replace(/\d+$/, String(world.people.alice.id));
  await passwordGiven(world, "alice", forged);
  const plain = await passwordGiven(world, "alice");
  await plain.post(CODE, { code: alice.code() });
  assert.ok(!plain.cookies.callboard_trusted, "only who wishes it");
});

Deno.test("a new password, a reset and turning it off make all browsers forgotten", async () => {
  await using world = await newWorld();
  const { id } = world.people.bob;
  const { code } = await enrol(world, "bob");
  const remember = async (code: string) => {
    await (await passwordGiven(world, "bob")).post(CODE, { code, remember: "true" });
  };
  const count = async () =>
    (await Array.fromAsync(world.kv.list({ prefix: rowKeys.trustedBrowsers(id) }))).length;
  await remember(code());
  assert.equal(await count(), 1);
  const same = { current_password: PASSWORD, password: PASSWORD };
  assert.equal((await world.post("bob", "/account/password", same)).status, 303);
  assert.equal(await count(), 0);
  world.clock.advance(30_000);
  await remember(code());
  world.clock.advance(30_000);
  assert.equal((await world.post("bob", `${FACTOR}/remove`, { code: code() })).status, 303);
  assert.equal(await count(), 0);
  assert.equal((await signIn(world, "bob")).status, 204);
});

Deno.test("Erin resets the second factor of Bob, who lost it; no one resets their own", async () => {
  await using world = await newWorld();
  await enrol(world, "bob");
  await enrol(world, "erin");
  const reset = (by: "bob" | "alice" | "erin", of: "bob" | "erin") =>
    world.post(by, `/users/${world.people[of].id}/second_factor`);
  assert.equal((await reset("alice", "bob")).status, 404);
  assert.equal((await reset("bob", "bob")).status, 404);
  assert.equal((await reset("erin", "erin")).status, 403);
  assert.match(await (await world.get("erin", `/users/${world.people.bob.id}`)).text(), />Reset</);
  assert.equal((await reset("erin", "bob")).status, 303);
  assert.equal((await signIn(world, "bob")).status, 204);
  const page = await (await world.get("bob", "/account/security")).text();
  assert.match(page, /second factor of user &quot;bob&quot; was reset/);
});

Deno.test("clients of the API send the code beside the password, or are asked to use a token", async () => {
  await using world = await newWorld();
  const { id } = await token(world);
  const { code } = await enrol(world, "bob");
  const without = await signIn(world, "bob");
  assert.equal(without.status, 401);
  assert.equal(without.body.second_factor, true);
  assert.match(without.body.error, /Send one of its codes as "code", or use an API token/);
  assert.equal((await signIn(world, "bob", { code: "000000" })).status, 401);
  assert.equal((await signIn(world, "bob", { code: code() })).status, 204);
  assert.equal((await signIn(world, "bob", { code: code() })).status, 401, "replayed");
  const headers = { Authorization: `Bearer ${id}` };
  assert.equal((await world.request("/api/user", { headers })).status, 200);
});

Deno.test("if everyone must have one, people without one can do nothing else before", async () => {
  await using world = await newWorld({ config: { secondFactorRequired: true } });
  const pages = ["/account", "/queue", `/project/${world.web.id}/history`, "/users", "/"];
  for (const path of pages) {
    const { status, headers } = await world.get("erin", path);
    assert.equal(status, 303, path);
    assert.equal(headers.get("location"), `${FACTOR}?next=${encodeURIComponent(path)}`);
  }
  assert.equal((await world.post("erin", "/project/new", { name: "X" })).status, 303);
  for (const [method, path] of [["GET", "/api/user"], ["POST", "/api/user/tokens"]]) {
    const { status, body } = await world.api("erin", method, path);
    assert.equal(status, 403);
    assert.match(body.error, /requires a second factor/);
  }
  const page = await (await world.get("erin", `${FACTOR}?next=%2Fqueue`)).text();
  assert.match(page, /requires a second factor/);
  await enrol(world, "erin");
  assert.equal((await world.get("erin", "/queue")).status, 200);
  assert.equal((await world.api("bob", "POST", "/api/auth/logout")).status, 204);
});

Deno.test("failures in a row are in the account's events, and guesses at unknown accounts are not", async () => {
  await using world = await newWorld();
  for (const auth of ["bob", "nobody"]) {
    for (let n = 0; n < 5; n++) await signIn(world, auth, { password: "guess" });
  }
  const { body } = await world.api("erin", "GET", "/api/events");
  const told = body.filter(({ description }: { description: string }) =>
    /failed/.test(description)
  );
  assert.equal(told.length, 1);
  assert.equal(
    told[0].description,
    'Signing in as "bob" failed 5 times in a row, most recently from 192.0.2.1',
  );
  assert.match(
    await (await world.get("bob", "/account/security")).text(),
    /failed 5 times in a row/,
  );
});

Deno.test("with an account goes all that its second factor left", async () => {
  await using world = await newWorld();
  const { code } = await enrol(world, "bob");
  await (await passwordGiven(world, "bob")).post(CODE, { code: code(), remember: "true" });
  const { id } = world.people.bob;
  assert.equal((await world.api("erin", "DELETE", `/api/users/${id}`)).status, 204);
  const left = await Array.fromAsync(world.kv.list({ prefix: rowKeys.trustedBrowsers(id) }));
  assert.deepEqual(left, []);
  assert.equal((await world.kv.get(rowKeys.secondFactor(id))).value, null);
});
