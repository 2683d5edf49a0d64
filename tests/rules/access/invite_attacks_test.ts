import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { accept, invite, invitesOf, roleIn } from "@/tests/support/world/invites.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAVE = { email: "dave@example.com" };
const NORA = { email: "nora@example.com" };
const teamOf = ({ web }: World) => `/api/project/${web.id}/users`;

const join = (world: World, token: string, name = "Nora") =>
  world.post(null, `/invite/${token}`, { answer: "join", name });

const signsIn = async (world: World, auth: string, password: string) =>
  (await world.api(null, "POST", "/api/auth/login", { auth, password })).status;

Deno.test("a forwarded link gives nothing to another account, and stays Dave's", async () => {
  await using world = await newWorld();
  const byAddress = await invite(world, DAVE);
  const outsider = { name: "Oscar", username: "oscar", email: "o@example.com", password: "x" };
  const { body: oscar } = await world.api("erin", "POST", "/api/users", outsider);
  const byId = await invite(world, { user_id: oscar.id });
  for (const { token } of [byAddress, byId]) {
    assert.deepEqual(await accept(world, "erin", token), [403, "invite_not_yours"]);
    const page = await world.get("erin", `/invite/${token}`);
    assert.match(await page.text(), /You are signed in as erin, but this invitation is for/);
    const posted = await world.post("erin", `/invite/${token}`, { answer: "accept" });
    assert.equal(posted.status, 403);
    assert.equal((await world.post("erin", `/invite/${token}`, { answer: "decline" })).status, 403);
  }
  assert.equal(await roleIn(world, "erin"), null);
  assert.equal((await accept(world, "dave", byAddress.token))[0], 200);
});

Deno.test("no link of an invitation opens or changes an account that exists", async () => {
  await using world = await newWorld();
  const users = async () => (await world.api("erin", "GET", "/api/users")).body;
  // An account that an administrator has prepared, and that no one has signed in to yet.
  const prepared = { name: "Root", username: "root", email: "root@example.com", admin: true };
  assert.equal((await world.api("erin", "POST", "/api/users", prepared)).status, 201);
  const before = await users();
  for (const by of ["alice", "erin"] as const) {
    for (const email of ["root@example.com", "ROOT@example.com", "dave@example.com"]) {
      const { id, token } = await invite(world, { email }, by);
      const page = await (await world.get(null, `/invite/${token}`)).text();
      assert.match(page, /Sign in with your account to accept/);
      assert.ok(!page.includes('name="name"'));
      const joined = await join(world, token);
      assert.notEqual(joined.status, 303, `${by} ${email}`);
      assert.equal(joined.headers.get("set-cookie"), null);
      await world.api("alice", "DELETE", `${invitesOf(world)}/${id}`);
    }
  }
  assert.deepEqual(await users(), before);
  assert.equal(await signsIn(world, "root", "x"), 401);
});

Deno.test("only an administrator's invitation brings new accounts, and only while they are one", async () => {
  await using world = await newWorld();
  const owners = await invite(world, NORA);
  assert.equal((await join(world, owners.token)).status, 422);
  await world.api("alice", "DELETE", `${invitesOf(world)}/${owners.id}`);
  // Mike was an administrator who owned the project when he invited, and is only an owner now.
  const mike = `/api/users/${world.people.mike.id}`;
  const { body } = await world.api("erin", "GET", mike);
  await world.api("erin", "PUT", mike, { ...body, admin: true });
  await world.api("erin", "PUT", `${teamOf(world)}/${world.people.mike.id}`, { role: "owner" });
  const { token } = await invite(world, NORA, "mike");
  assert.match(await (await world.get(null, `/invite/${token}`)).text(), /name="name"/);
  await world.api("erin", "PUT", mike, { ...body, admin: false });
  assert.ok(!(await (await world.get(null, `/invite/${token}`)).text()).includes('name="name"'));
  assert.equal((await join(world, token)).status, 422);

  await using without = await newWorld({ config: { passwordSignIn: false } });
  const made = await invite(without, NORA, "erin");
  assert.equal((await join(without, made.token)).status, 422);
});

Deno.test("an invitation ends with the rights of its inviter, and comes back with them", async () => {
  await using world = await newWorld();
  const { mike, dave } = world.people;
  const member = `${teamOf(world)}/${mike.id}`;
  const becomes = (role: string) => world.api("alice", "PUT", member, { role });
  await becomes("owner");
  const { id, token } = await invite(world, DAVE, "mike");
  await becomes("manager");
  assert.deepEqual(await accept(world, "dave", token), [403, "invite_void"]);
  const page = await world.get("dave", `/invite/${token}`);
  assert.equal(page.status, 403);
  assert.match(await page.text(), /can no longer give this role/);
  const listed = (await world.api("alice", "GET", `${invitesOf(world)}/${id}`)).body;
  assert.deepEqual([listed.status, listed.inviter_may], ["pending", false]);
  assert.match(
    await (await world.get("alice", `/project/${world.web.id}/team`)).text(),
    /Its sender can no longer give this role/,
  );
  await world.api("alice", "DELETE", member);
  assert.deepEqual(await accept(world, "dave", token), [403, "invite_void"]);
  await world.api("alice", "POST", member, { role: "owner" });
  assert.deepEqual(await accept(world, "dave", token), [200, { project_id: world.web.id }]);
  assert.equal(await roleIn(world, "dave"), "task_runner");

  await world.api("alice", "DELETE", `${teamOf(world)}/${dave.id}`);
  const last = await invite(world, DAVE, "mike");
  assert.equal((await world.api("erin", "DELETE", `/api/users/${mike.id}`)).status, 204);
  assert.deepEqual(await accept(world, "dave", last.token), [403, "invite_void"]);
  const renewed = await world.post(
    "alice",
    `/project/${world.web.id}/team/invites/${last.id}/link`,
  );
  const [, fresh] = /\/invite\/([\w.-]+)/.exec(await renewed.text())!;
  assert.equal((await accept(world, "dave", fresh))[0], 200, "Alice answers for it now");
});

Deno.test("a deleted project or account leaves no link behind", async () => {
  await using world = await newWorld();
  const { dave } = world.people;
  const [byAddress, byId] = [await invite(world, DAVE), await invite(world, { user_id: dave.id })];
  const lab = `/api/project/${world.lab.id}`;
  const body = { email: "alice@example.com", role: "guest" };
  const { body: ofLab } = await world.api("dave", "POST", `${lab}/invites`, body);
  assert.equal((await world.api("dave", "DELETE", lab)).status, 204);
  assert.deepEqual(await accept(world, "alice", ofLab.token), [404, "link_over"]);
  const rows = await Array.fromAsync(world.kv.list({ prefix: rowKeys.invites(world.lab.id) }));
  assert.deepEqual(rows, []);

  assert.equal((await world.api("erin", "DELETE", `/api/users/${dave.id}`)).status, 204);
  for (const { token } of [byAddress, byId]) {
    assert.deepEqual(await accept(world, "dave", token), [401, "unauthorized"]);
  }
  const { body: listed } = await world.api("alice", "GET", invitesOf(world));
  assert.deepEqual(listed.map((one: { user_name: string }) => one.user_name), [null, null]);
});

Deno.test("the invitation of a project that is being deleted makes no one a member", async () => {
  await using world = await newWorld();
  const { token } = await invite(world, DAVE);
  const key = rowKeys.project(world.web.id);
  const { value } = await world.kv.get<Record<string, unknown>>(key);
  await world.kv.set(key, { ...value, deleting: true });
  assert.deepEqual(await accept(world, "dave", token), [404, "link_over"]);
});

Deno.test("tokens cannot be guessed, and a valid one works nevertheless", async () => {
  await using world = await newWorld();
  const { id, token } = await invite(world, DAVE);
  const [random] = token.split(".");
  const wrong = [
    `${random.slice(0, -1)}${random.endsWith("A") ? "B" : "A"}.${world.web.id}.${id}`,
    `${random}.${world.web.id}.${id + 1}`,
    `${random}.${world.lab.id}.${id}`,
    `${token}.1`,
    `${random}.${world.web.id}`,
    `${random}.${world.web.id}.${"9".repeat(30)}`,
    "x",
  ];
  const statuses = new Set<number>();
  for (let n = 0; n < 70; n++) {
    statuses.add((await accept(world, "dave", wrong[n % wrong.length]))[0]);
    statuses.add((await world.get(null, `/invite/${wrong[n % wrong.length]}`)).status);
  }
  assert.deepEqual([...statuses], [404, 429]);
  assert.equal((await accept(world, "dave", token))[0], 200);
});

Deno.test("the store and the access log keep no token", async () => {
  await using world = await newWorld();
  const { token } = await invite(world, DAVE);
  const random = token.split(".")[0];
  for await (const { key, value } of world.kv.list({ prefix: [] })) {
    assert.ok(!JSON.stringify([key, value]).includes(random), String(key));
  }
  const { body } = await world.api("alice", "GET", invitesOf(world));
  assert.ok(!JSON.stringify(body).includes(random));
});

Deno.test("session cookies and API tokens are refused as invitations, and invitations as both", async () => {
  await using world = await newWorld();
  const { token } = await invite(world, DAVE);
  assert.deepEqual(await accept(world, "dave", world.people.alice.token), [404, "link_over"]);
  const headers = { Cookie: `callboard=${token}` };
  assert.equal((await world.request("/api/user", { headers })).status, 401);
});
