import assert from "node:assert/strict";
import { createUser } from "@/lib/people/accounts/service.ts";
import { operatorScope } from "@/lib/people/accounts/operator.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { pageAddresses } from "@/tests/support/world/page_addresses.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

/** Creates a token of `person` in their session. */
async function tokenOf(world: World, person: Person, may_make_tokens = false): Promise<string> {
  return (await world.api(person, "POST", "/api/user/tokens", { may_make_tokens })).body.id;
}

/** Calls the API with a token. */
const byToken = async (
  world: World,
  token: string,
  method: string,
  path: string,
  body: unknown = {},
) =>
  await readAnswer(
    await world.request(path, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }),
  );

const bobs = { name: "Bob", username: "bob", email: "bob@example.com" };

/** Operations that change how an account signs in, with the tokens that may not use them. */
const OWN: Record<string, (world: World) => [method: string, path: string, body?: object]> = {
  changePassword: ({ people }) => [
    "POST",
    `/api/users/${people.bob.id}/password`,
    { password: "stolen", current_password: PASSWORD },
  ],
  updateUser: ({ people }) => [
    "PUT",
    `/api/users/${people.bob.id}`,
    { ...bobs, password: "stolen", current_password: PASSWORD },
  ],
  "updateUser, e-mail": ({ people }) => [
    "PUT",
    `/api/users/${people.bob.id}`,
    { ...bobs, email: "thief@example.com", current_password: PASSWORD },
  ],
  updateToken: () => ["PUT", "/api/user/tokens/{other}", { scopes: null }],
};
const SMALL: typeof OWN = {
  createToken: () => ["POST", "/api/user/tokens"],
  deleteToken: () => ["DELETE", "/api/user/tokens/{other}"],
  deleteUserToken: ({ people }) => ["DELETE", `/api/users/${people.bob.id}/tokens/{other}`],
  deleteUserTokens: ({ people }) => ["DELETE", `/api/users/${people.bob.id}/tokens`],
};

/** Operations on accounts that give a token no new rights, with the reason. */
const HARMLESS: Record<string, string> = {
  createUser: "no admin by a token that may not create other: see below",
  deleteUser: "the same of deleting one",
  createSignInLink: "only to an account that no one signs in to; no admin by a small token",
  withdrawSignInLinks: "ends links",
  createProjectToken: "none by a token that may not create others: see project_tokens_test",
  keepProjectToken: "only by a session: see project_tokens_test",
  deleteProjectToken: "ends a token",
  signIn: "takes a password",
  signOut: "ends a session",
  startProviderSignIn: "takes a proof of the provider",
  finishProviderSignIn: "takes a proof of the provider",
  endSessionsByProvider: "takes the provider's token",
  endOwnOtherSessions: "ends sessions",
  endOwnSession: "ends sessions",
  endSessions: "ends sessions",
  endSession: "ends sessions",
  createServerRole: "gives no one a role",
  updateServerRole: "no role beyond the rights of the token",
  deleteServerRole: "only of a role that no one has",
  setUserOption: "notes how a client shows its pages",
};

Deno.test("each operation that changes accounts is in the tables of operations for tokens", () => {
  const changing = allOperations.filter(({ method, tag, isUnsafe }) =>
    (method !== "GET" || isUnsafe) && ["Users", "API tokens", "Signing in"].includes(tag)
  ).map(({ id }) => id);
  const known = [...Object.keys(OWN), ...Object.keys(SMALL), ...Object.keys(HARMLESS)];
  assert.deepEqual(changing.filter((id) => !known.includes(id)), []);
});

Deno.test("no API token changes what its own account signs in with", async () => {
  await using world = await newWorld();
  const { value: before } = await world.kv.get(["users", world.people.bob.id]);
  for (const may of [false, true]) {
    const token = await tokenOf(world, "bob", may);
    const { body: other } = await world.api("bob", "POST", "/api/user/tokens");
    for (const [id, call] of Object.entries(may ? OWN : { ...OWN, ...SMALL })) {
      const [method, path, body] = call(world);
      const filled = path.replace("{other}", other.id.slice(0, 8));
      const { status, body: answer } = await byToken(world, token, method, filled, body);
      assert.equal(status, 403, id);
      assert.match(answer.error, /^(An|This) API token /, id);
    }
    const own = `/api/user/tokens/${token.slice(0, 8)}`;
    assert.equal((await byToken(world, token, "DELETE", own)).status, 204, "but it ends itself");
  }
  assert.deepEqual((await world.kv.get(["users", world.people.bob.id])).value, before);
});

Deno.test("no page does anything for a token, and none shows a form's answer", async () => {
  await using world = await newWorld();
  const tokens = [await tokenOf(world, "erin"), await tokenOf(world, "erin", true)];
  const paths = (await pageAddresses())
    .map((path) => path.replaceAll("[userId]", String(world.people.bob.id)))
    .map((path) => path.replace("[projectId]", String(world.web.id)).replaceAll(/\[\w+\]/g, "1"));
  assert.ok(paths.includes(`/users/${world.people.bob.id}/second_factor`));
  for (const path of paths) {
    for (const token of tokens) {
      const { status, body } = await world.request(path, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: new URLSearchParams({ password: "x", current_password: PASSWORD }),
      });
      await body?.cancel();
      assert.equal(status, 403, path);
    }
  }
});

Deno.test("an admin's token that may not create others creates no admins and changes none", async () => {
  await using world = await newWorld();
  const small = await tokenOf(world, "erin");
  const full = await tokenOf(world, "erin", true);
  const operator = operatorScope(world.deps);
  const root = await createUser(operator, {
    ...{ username: "root", name: "Root", email: "root@example.com", password: "x" },
    ...{ admin: true, external: false, alert: false },
  });
  const nora = { username: "nora", name: "Nora", email: "nora@example.com", password: "x" };
  const { body: user } = await byToken(world, small, "POST", "/api/users", nora);
  const ofUser = `/api/users/${user.id}`;
  const ofRoot = `/api/users/${root.id}`;
  const rootAgain = { username: "root", name: "Root", email: "root@example.com", admin: true };
  const calls: [method: string, path: string, body: object][] = [
    ["POST", "/api/users", { ...nora, username: "n2", email: "n2@example.com", admin: true }],
    ["PUT", ofUser, { ...nora, password: "", admin: true }],
    ["PUT", ofRoot, { ...rootAgain, password: "stolen" }],
    ["PUT", ofRoot, { ...rootAgain, email: "thief@example.com" }],
    ["PUT", ofRoot, { ...rootAgain, admin: false }],
    ["POST", `${ofRoot}/password`, { password: "stolen" }],
    ["DELETE", ofRoot, {}],
  ];
  for (const [method, path, body] of calls) {
    const answer = await byToken(world, small, method, path, body);
    assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(body)}`);
    assert.match(answer.body.error, /administrators/);
  }
  const set = await byToken(world, small, "POST", `${ofUser}/password`, { password: "new" });
  assert.equal(set.status, 204, "accounts without more rights are as before");
  assert.equal((await byToken(world, small, "PUT", ofUser, nora)).status, 204);
  for (const [method, path, body] of calls.toReversed().slice(1).toReversed()) {
    const { status } = await byToken(world, full, method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${status}`);
  }
  assert.equal((await byToken(world, small, "DELETE", ofUser)).status, 403, "an admin by now");
});

Deno.test("Bob's own password and address take his current password, also by the API", async () => {
  await using world = await newWorld();
  const path = `/api/users/${world.people.bob.id}`;
  const put = async (fields: object) => {
    const { status, body } = await world.api("bob", "PUT", path, { ...bobs, ...fields });
    return status === 400 ? Object.keys(body.fields) : status;
  };
  const asked = ["current_password"];
  assert.equal(await put({ name: "Robert" }), 204);
  assert.equal(await put({ password: PASSWORD }), 204, "the same again is no change");
  assert.deepEqual(await put({ password: "new" }), asked);
  assert.deepEqual(await put({ email: "robert@example.com" }), asked);
  assert.deepEqual(await put({ email: "robert@example.com", current_password: "x" }), asked);
  assert.equal(await put({ email: "robert@example.com", current_password: PASSWORD }), 204);
  const email = "robert@example.com";
  assert.equal(await put({ email, password: "new", current_password: PASSWORD }), 204);
  assert.equal(await put({ email, password: "new" }), 204);
  const token = await tokenOf(world, "bob");
  const repeat = (password: string) =>
    byToken(world, token, "PUT", path, { ...bobs, email, password });
  assert.equal((await repeat("new")).status, 204, "who describes an account repeats it");
  for (let n = 0; n < 5; n++) assert.equal((await repeat(`guess ${n}`)).status, 403);
  assert.equal((await repeat("new")).status, 429, "and guesses no password so");
});

Deno.test("a way in is removed with the password", async () => {
  await using world = await newWorld();
  const asked = await world.post("bob", "/account/links/remove", { unlink: "x" });
  assert.equal(asked.status, 200);
  const html = await asked.text();
  assert.match(html, /Enter your current password/);
  assert.match(html, /type="hidden" name="unlink" value="x"/);
  for (const [path, name] of [["links", "unlink"], ["passkeys", "passkey"]]) {
    const wrong = await world.post("bob", `/account/${path}/remove`, {
      [name]: "x",
      current_password: "wrong",
    });
    await wrong.body?.cancel();
    assert.equal(wrong.status, path === "links" ? 422 : 404);
  }
});
