import assert from "node:assert/strict";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const olga = {
  name: "Olga",
  username: "Olga",
  email: "Olga@Example.com",
  password: "anything goes",
  admin: false,
  alert: true,
};

const add = (world: World, fields: Record<string, unknown> = {}) =>
  world.api("erin", "POST", "/api/users", { ...olga, ...fields });

const signIn = async (world: World, auth: string, password: string) =>
  (await readAnswer(
    await world.request("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ auth, password }),
    }),
  )).status;

const pathOf = (world: World, person: Person) => `/api/users/${world.people[person].id}`;

Deno.test("an admin adds a user, who can sign in immediately", async () => {
  await using world = await newWorld();
  const { status, body } = await add(world);
  assert.equal(status, 201);
  assert.deepEqual(body, {
    id: body.id,
    created: "2024-05-02T10:11:12.000Z",
    username: "Olga",
    name: "Olga",
    email: "Olga@Example.com",
    admin: false,
    external: false,
    alert: true,
    notify_own: [],
  });
  assert.deepEqual((await world.api("erin", "GET", `/api/users/${body.id}`)).body, body);
  assert.equal(await signIn(world, "olga", olga.password), 204);
  assert.equal((await world.api("alice", "POST", "/api/users", olga)).status, 403);
});

Deno.test("usernames and addresses belong to one person, whatever their capitals", async () => {
  await using world = await newWorld();
  await add(world);
  const taken: Record<string, string>[] = [
    { username: "OLGA", email: "x@example.com" },
    { username: "x", email: "olga@example.com" },
    { username: "olga@example.com", email: "x@example.com" },
  ];
  for (const names of taken) {
    const { status, body } = await add(world, names);
    assert.equal(status, 409, JSON.stringify(names));
    assert.equal(Object.keys(body.fields).length, 1);
  }
  const { status } = await world.api("erin", "PUT", pathOf(world, "bob"), {
    name: "Bob",
    username: "bob",
    email: "OLGA@example.com",
  });
  assert.equal(status, 409);
  assert.equal((await add(world, { username: "o@x.y", email: "O@X.Y" })).status, 201);
});

Deno.test("a username that its owner changes is free for someone else", async () => {
  await using world = await newWorld();
  const { body } = await add(world);
  const renamed = { ...body, username: "olga2", email: "olga2@example.com" };
  assert.equal((await world.api("erin", "PUT", `/api/users/${body.id}`, renamed)).status, 204);
  assert.equal((await add(world)).status, 201);
  assert.equal(await signIn(world, "olga2@example.com", olga.password), 204);
});

Deno.test("a user without name, username or address is refused, field by field", async () => {
  await using world = await newWorld();
  const { status, body } = await world.api("erin", "POST", "/api/users", {});
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.fields).sort(), ["email", "name", "username"]);
  assert.equal((await add(world, { username: "two\nlines" })).status, 400);
  assert.equal((await add(world, { external: true, password: undefined })).status, 201);
});

Deno.test("people who manage users may choose from all names, others see those they work with", async () => {
  await using world = await newWorld();
  const names = async (person: Person) => (await world.api(person, "GET", "/api/users")).body;
  const usernames = async (person: Person) =>
    (await names(person)).map(({ username }: { username: string }) => username).sort();

  assert.deepEqual(await usernames("alice"), ["alice", "bob", "carol", "dave", "erin", "mike"]);
  assert.deepEqual(await usernames("carol"), ["alice", "bob", "carol", "mike"]);
  assert.deepEqual(Object.keys((await names("alice"))[0]).sort(), ["id", "name", "username"]);
  const [alice] = await names("erin");
  assert.equal(alice.email, "alice@example.com");
  assert.ok(!("password" in alice));
});

Deno.test("an account is an admin's and one's own to see", async () => {
  await using world = await newWorld();
  assert.equal((await world.api("bob", "GET", pathOf(world, "bob"))).status, 200);
  assert.equal((await world.api("erin", "GET", pathOf(world, "bob"))).status, 200);
  assert.equal((await world.api("bob", "GET", pathOf(world, "alice"))).status, 403);
  assert.equal((await world.api("bob", "GET", "/api/users/9999")).status, 403);
  assert.equal((await world.api("erin", "GET", "/api/users/9999")).status, 404);
  assert.equal((await world.api("erin", "GET", "/api/users/x")).status, 400);
});

Deno.test("Bob edits his account, but admin is not his to give", async () => {
  await using world = await newWorld();
  const path = pathOf(world, "bob");
  const change = { name: "Robert", username: "robert", email: "robert@example.com" };
  const wanted = { ...change, alert: true, admin: false, current_password: PASSWORD };
  assert.equal((await world.api("bob", "PUT", path, wanted)).status, 204);
  const { body } = await world.api("bob", "GET", "/api/user");
  assert.equal(body.name, "Robert");
  assert.equal(body.alert, true);
  assert.equal(body.can_create_project, false);
  assert.equal((await world.api("bob", "PUT", path, { ...change, admin: true })).status, 403);
  assert.equal((await world.api("bob", "PUT", path, { ...change, id: 9999 })).status, 400);
  assert.equal(await signIn(world, "robert", PASSWORD), 204);
  assert.equal(await signIn(world, "bob", PASSWORD), 401);
});

Deno.test("an admin makes others admins, but cannot stop being one", async () => {
  await using world = await newWorld();
  const bob = { name: "Bob", username: "bob", email: "bob@example.com", admin: true };
  assert.equal((await world.api("erin", "PUT", pathOf(world, "bob"), bob)).status, 204);
  assert.equal((await world.api("bob", "GET", "/api/user")).body.can_create_project, true);
  const erin = { name: "Erin", username: "erin", email: "erin@example.com", admin: false };
  assert.equal((await world.api("erin", "PUT", pathOf(world, "erin"), erin)).status, 403);
  assert.equal((await world.api("bob", "PUT", pathOf(world, "erin"), erin)).status, 204);
  assert.equal((await world.api("erin", "POST", "/api/users", olga)).status, 403);
});

Deno.test("an external account is renamed, but its sign-in names and password are not changed", async () => {
  await using world = await newWorld();
  const { body } = await add(world, { external: true });
  const path = `/api/users/${body.id}`;
  const put = async (fields: object) =>
    (await world.api("erin", "PUT", path, { ...body, ...fields })).status;
  assert.equal(await put({ name: "Olga B." }), 204);
  assert.equal(await put({ username: "other" }), 400);
  assert.equal(await put({ email: "other@example.com" }), 400);
  assert.equal(await put({ password: "secret" }), 400);
  const { status } = await world.api("erin", "POST", `${path}/password`, { password: "x" });
  assert.equal(status, 400);
});

Deno.test("a new password ends all other sessions, and no API token", async () => {
  await using world = await newWorld();
  const token = (await world.api("bob", "POST", "/api/user/tokens")).body.id;
  const login = await world.request("/api/auth/login", {
    method: "POST",
    body: JSON.stringify({ auth: "bob", password: PASSWORD }),
  });
  const second = { Cookie: login.headers.getSetCookie()[0].split(";")[0] };
  const path = `${pathOf(world, "bob")}/password`;
  const change = { password: "new one", current_password: PASSWORD };
  assert.equal((await world.api("bob", "POST", path, change)).status, 204);

  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
  assert.equal((await world.request("/api/user", { headers: second })).status, 401);
  const bearer = { Authorization: `Bearer ${token}` };
  assert.equal((await world.request("/api/user", { headers: bearer })).status, 200);
  assert.equal(await signIn(world, "bob", PASSWORD), 401);
  assert.equal(await signIn(world, "bob", "new one"), 204);
  assert.deepEqual(world.messages.find(({ type }) => type === "access"), {
    type: "access",
    project_id: null,
    user_id: world.people.bob.id,
  });
});

Deno.test("an admin sets a password without the current one, which ends every session", async () => {
  await using world = await newWorld();
  const path = `${pathOf(world, "bob")}/password`;
  assert.equal((await world.api("carol", "POST", path, { password: "x" })).status, 403);
  assert.equal((await world.api("erin", "POST", path, { password: "" })).status, 400);
  assert.equal((await world.api("erin", "POST", path, { password: "x" })).status, 204);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
  assert.equal(await signIn(world, "bob", "x"), 204);
});

Deno.test("a wrong current password is reported, and so is a missing one", async () => {
  await using world = await newWorld();
  const path = `${pathOf(world, "bob")}/password`;
  for (const current_password of ["y", null, undefined]) {
    const wrong = await world.api("bob", "POST", path, { password: "x", current_password });
    assert.equal(wrong.status, 400);
    assert.ok(wrong.body.fields.current_password);
  }
});

Deno.test("a password in an account's change is a new password too", async () => {
  await using world = await newWorld();
  const bob = { name: "Bob", username: "bob", email: "bob@example.com", password: "changed" };
  assert.equal((await world.api("erin", "PUT", pathOf(world, "bob"), bob)).status, 204);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
  assert.equal(await signIn(world, "bob", "changed"), 204);
});

Deno.test("a deleted user's sessions, tokens and memberships go; the history stays", async () => {
  await using world = await newWorld();
  const token = (await world.api("bob", "POST", "/api/user/tokens")).body.id;
  const team = `/api/project/${world.web.id}/users`;
  assert.equal((await world.api("carol", "DELETE", pathOf(world, "bob"))).status, 403);
  assert.equal((await world.api("erin", "DELETE", pathOf(world, "bob"))).status, 204);

  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
  const bearer = { Authorization: `Bearer ${token}` };
  assert.equal((await world.request("/api/user", { headers: bearer })).status, 401);
  const { body } = await world.api("alice", "GET", team);
  assert.ok(!JSON.stringify(body).includes("bob"));
  assert.equal((await world.api("erin", "DELETE", pathOf(world, "bob"))).status, 404);

  const events = (await world.api("alice", "GET", `/api/project/${world.web.id}/events`)).body;
  assert.match(events[0].description, /bob/);
  assert.equal(events[0].username, "erin");
  for await (const { key } of world.kv.list({ prefix: [] })) {
    const [rows, first, second] = key;
    const isBobs = ["users", "sessions_by_user", "api_tokens_by_user", "members_by_user"]
      .includes(String(rows)) && first === world.people.bob.id;
    assert.ok(!isBobs && !(rows === "members" && second === world.people.bob.id), key.join("/"));
  }
});

Deno.test("the last admin stays, and so does the last owner of a project", async () => {
  await using world = await newWorld();
  const last = await world.api("erin", "DELETE", pathOf(world, "erin"));
  assert.equal(last.status, 409);
  assert.equal(typeof last.body.error, "string");
  const owner = await world.api("erin", "DELETE", pathOf(world, "alice"));
  assert.equal(owner.status, 409);
  assert.deepEqual(owner.body.projects, [{ id: world.web.id, name: "Web shop" }]);
  assert.match(owner.body.error, /Web shop/);
  assert.equal((await world.api("alice", "GET", `/api/project/${world.web.id}`)).status, 200);
});

Deno.test("someone deletes their own account", async () => {
  await using world = await newWorld();
  assert.equal((await world.api("bob", "DELETE", pathOf(world, "bob"))).status, 204);
  assert.equal(await signIn(world, "bob", PASSWORD), 401);
});

Deno.test("the last admin, who is refused, is still in all projects", async () => {
  await using world = await newWorld();
  const { id } = world.people.erin;
  const projects: number[] = [];
  for (let n = 0; n < 12; n++) {
    const project = await world.api("erin", "POST", "/api/projects", { name: `P${n}` });
    projects.push(project.body.id);
    const members = `/api/project/${project.body.id}/users`;
    const alice = { user_id: world.people.alice.id, role: "owner" };
    assert.equal((await world.api("erin", "POST", members, alice)).status, 204);
  }
  const refused = await world.api("erin", "DELETE", `/api/users/${id}`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /last admin/);
  for (const project of projects) {
    assert.equal(
      (await world.api("erin", "GET", `/api/project/${project}/users/${id}`)).status,
      200,
    );
  }
});

Deno.test("an e-mail address is one address wherever it is saved", async () => {
  await using world = await newWorld();
  const { id } = world.people.bob;
  for (const email of ["a@x.com,b@x.com", "a@x.com\nBcc: b@x.com", "Bob <bob@x.com>", "a@x b@x"]) {
    const form = { name: "Bob", username: "bob", email, password: PASSWORD };
    for (
      const [person, method, path] of [
        ["erin", "POST", "/api/users"],
        ["erin", "PUT", `/api/users/${id}`],
        ["bob", "PUT", `/api/users/${id}`],
      ] as const
    ) {
      const { status, body } = await world.api(person, method, path, form);
      assert.equal(status, 400, `${method} ${email}`);
      assert.ok(body.fields.email, `${method} ${email}`);
    }
    for (const [person, path] of [["erin", "/users/new"], ["bob", "/account"]] as const) {
      assert.equal((await world.post(person, path, form)).status, 422, `${path} ${email}`);
    }
  }
});
