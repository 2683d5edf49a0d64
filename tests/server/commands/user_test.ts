import assert from "node:assert/strict";
import { join } from "node:path";
import { ensureFirstAdmin } from "@/lib/people/accounts/first_admin.ts";
import {
  getIdentity,
  identityRow,
  listIdentityRows,
  setIdentity,
} from "@/lib/people/identities/repository.ts";
import { listUserRows } from "@/lib/model/accounts.ts";
import denoJson from "@/deno.json" with { type: "json" };
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { enrol } from "@/tests/support/world/factors.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

/** Creates a world on a file that the command line opens too, as beside a running server. */
async function fileWorld(): Promise<World & { dir: string }> {
  const dir = await Deno.makeTempDir({ prefix: "callboard_cli_" });
  const world = await newWorld({ kvPath: join(dir, "callboard.kv") });
  return {
    ...world,
    dir,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function user(
  dir: string,
  args: string[],
  { input = "", env }: { input?: string; env?: Record<string, string> } = {},
) {
  // The exact command of `deno task user`, with its permissions.
  const command = denoJson.tasks.user.command.replace(/^deno /, 'exec "$DENO" ');
  const child = new Deno.Command("sh", {
    args: ["-c", `${command} "$@"`, "sh", ...args],
    env: {
      DENO: Deno.execPath(),
      CALLBOARD_DATA: dir,
      CALLBOARD_KV: join(dir, "callboard.kv"),
      ...env,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, output: text(stdout), errors: text(stderr) };
}

const signIn = async (world: World, auth: string, password: string) =>
  (await readAnswer(
    await world.request("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ auth, password }),
    }),
  )).status;

Deno.test("an admin created on the command line can sign in on the running server immediately", async () => {
  await using world = await fileWorld();
  const names = ["--login", "zoe", "--name", "Zoe Z", "--email", "zoe@example.com"];
  const added = await user(world.dir, ["add", ...names, "--admin", "--password", "pass word"]);
  assert.equal(added.code, 0, added.output + added.errors);
  assert.equal(await signIn(world, "zoe", "pass word"), 204);
  const { output } = await user(world.dir, ["list"]);
  assert.match(output, /^7 +zoe +Zoe Z +zoe@example.com +admin$/m);
  assert.match(output, /^1 +alice +Alice +alice@example.com$/m);

  const again = await user(world.dir, ["add", ...names, "--password", "x"]);
  assert.equal(again.code, 1);
  assert.match(again.output, /username: This username is already taken/);
});

Deno.test("a password set on the command line ends sessions and lifts the limiter", async () => {
  await using world = await fileWorld();
  for (let guess = 0; guess < 6; guess++) await signIn(world, "bob", "wrong");
  const set = await user(world.dir, ["password", "--login", "bob@example.com"], {
    input: "from the pipe\n",
  });
  assert.equal(set.code, 0, set.output + set.errors);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 401);
  assert.equal(await signIn(world, "bob", "from the pipe"), 204);
});

Deno.test("the command line makes someone an admin", async () => {
  await using world = await fileWorld();
  assert.equal((await user(world.dir, ["admin", "--login", "bob"])).code, 0);
  assert.equal((await world.api("bob", "GET", "/api/user")).body.admin, true);
  const nobody = await user(world.dir, ["admin", "--login", "nobody"]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.output, /does not exist/);
  assert.match((await user(world.dir, ["remove"])).output, /deno task user list/);
});

Deno.test("the command line and a busy server do not get into each other's way", async () => {
  await using world = await fileWorld();
  let isBusy = true;
  const writes = (async () => {
    let count = 0;
    while (isBusy) await world.kv.set(["ids", "busy"], count++);
    return count;
  })();
  const added = await Promise.all(["a", "b", "c"].map((login) =>
    user(world.dir, [
      ...["add", "--login", login, "--name", login],
      ...["--email", `${login}@example.com`, "--password", "secret"],
    ])
  ));
  isBusy = false;
  assert.ok(await writes > 100);
  for (const { code, output, errors } of added) assert.equal(code, 0, output + errors);
  const ids = (await listUserRows(world.kv)).map(({ id }) => id);
  assert.deepEqual(ids, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

Deno.test("the first start creates an admin, and shows a random password once", async () => {
  const kv = await openStore(":memory:");
  await using world = await newWorld();
  const deps = { ...world.deps, kv };
  const made = await ensureFirstAdmin(deps, new Map(), { attended: true });
  assert.equal(made?.username, "admin");
  assert.match(made!.password!, /^[a-zA-Z2-9]{20}$/);
  const [row] = await listUserRows(kv);
  assert.deepEqual([row.name, row.email, row.admin], ["Administrator", "admin@localhost", true]);
  assert.ok(await deps.passwords.verify(made!.password!, row.password));
  assert.equal(await ensureFirstAdmin(deps, new Map(), { attended: true }), null);
  kv.close();
});

Deno.test("the environment names the first admin; four parallel starts create one", async () => {
  const kv = await openStore(":memory:");
  await using world = await newWorld();
  const deps = { ...world.deps, kv };
  const env = new Map([
    ["CALLBOARD_ADMIN", "root"],
    ["CALLBOARD_ADMIN_PASSWORD", "told"],
    ["CALLBOARD_ADMIN_NAME", "Root"],
    ["CALLBOARD_ADMIN_EMAIL", "root@example.com"],
  ]);
  const made = await Promise.all(
    [1, 2, 3, 4].map(() => ensureFirstAdmin(deps, env, { attended: false })),
  );
  assert.deepEqual(made.filter(Boolean), [
    { username: "root", password: null, needsLink: false },
  ]);
  assert.equal((await listUserRows(kv)).length, 1);
  const wrong = new Map([["CALLBOARD_ADMIN_EMAIL", "nope"]]);
  const empty = await openStore(":memory:");
  await assert.rejects(() => ensureFirstAdmin({ ...deps, kv: empty }, wrong, { attended: true }), {
    message: /CALLBOARD_ADMIN_EMAIL/,
  });
  kv.close();
  empty.close();
});

Deno.test("a password set on the command line revokes tokens, unless they are to be kept", async () => {
  await using world = await fileWorld();
  const { body } = await world.api("bob", "POST", "/api/user/tokens", {});
  const headers = { Authorization: `Bearer ${body.id}` };
  const status = async () =>
    (await readAnswer(await world.request("/api/user", { headers }))).status;
  const set = ["password", "--login", "bob", "--password", "new"];
  assert.match((await user(world.dir, [...set, "--keep-tokens"])).output, /tokens are still valid/);
  assert.equal(await status(), 200);
  assert.match((await user(world.dir, set)).output, /tokens were revoked/);
  assert.equal(await status(), 401);
});

Deno.test("a person with access to the machine can reset a lost second factor", async () => {
  await using world = await fileWorld();
  await enrol(world, "bob");
  assert.equal(await signIn(world, "bob", PASSWORD), 401);
  const { code, output } = await user(world.dir, ["reset-second-factor", "--login", "bob"]);
  assert.equal(code, 0, output);
  assert.match(output, /Removed the second factor of "bob"/);
  assert.equal(await signIn(world, "bob", PASSWORD), 204);
});

Deno.test("accounts still work when the issuer of their provider or directory has another name", async () => {
  await using world = await fileWorld();
  const { kv, people: { bob, carol, dave } } = world;
  const link = async (userId: number, issuer: string, subject: string) => {
    const proof = {
      kind: "oidc" as const,
      provider: "main",
      issuer,
      subject,
      profile: { username: subject, name: subject, email: `${subject}@example.com` },
      claims: {},
    };
    const op = kv.atomic();
    setIdentity(op, identityRow(world, userId, proof));
    await op.commit();
  };
  await link(bob.id, "https://old", "b");
  await link(carol.id, "https://old", "c");
  await link(dave.id, "https://new", "c");
  const listed = await user(world.dir, ["move-identities"]);
  assert.match(listed.output, /^https:\/\/old +2$/m);
  const moved = await user(world.dir, ["move-identities", "https://old", "https://new"]);
  assert.equal(moved.code, 0, moved.output + moved.errors);
  assert.match(moved.output, /Moved 1 identities from "https:\/\/old" to "https:\/\/new"/);
  assert.match(moved.output, /Left 1, because other accounts/);
  const ownerOf = async (issuer: string, subject: string) =>
    (await getIdentity(kv, { issuer, subject })).value?.user_id;
  assert.equal(await ownerOf("https://new", "b"), bob.id);
  assert.equal(await ownerOf("https://new", "c"), dave.id, "no account loses its person");
  assert.deepEqual((await listIdentityRows(kv, bob.id)).map(({ issuer }) => issuer), [
    "https://new",
  ]);
  for (const names of [["https://none", "x"], ["https://new"], ["https://new", "https://new"]]) {
    assert.equal((await user(world.dir, ["move-identities", ...names])).code, 1, names.join());
  }
});

Deno.test("a start that no one watches creates an admin without a password, and says so again", async () => {
  const kv = await openStore(":memory:");
  await using world = await newWorld();
  const deps = { ...world.deps, kv };
  const waiting = { username: "admin", password: null, needsLink: true };
  for (const attended of [false, false, true]) {
    assert.deepEqual(await ensureFirstAdmin(deps, new Map(), { attended }), waiting);
  }
  const [row] = await listUserRows(kv);
  assert.equal(row.password, null);
  await kv.set(["users", row.id], { ...row, external: true });
  assert.equal(await ensureFirstAdmin(deps, new Map(), { attended: false }), null);
  kv.close();
});

Deno.test("first-link gives the only admin access, who has none yet", async () => {
  await using world = await fileWorld();
  const dir = await Deno.makeTempDir({ prefix: "callboard_cli_" });
  const settings = { CALLBOARD_KV: join(dir, "callboard.kv") };
  const link = (env = {}) => user(dir, ["first-link"], { env: { ...settings, ...env } });
  const before = await link();
  assert.equal(before.code, 1);
  assert.match(before.output, /^There is no administrator in .*callboard\.kv\. Start the server/);
  const kv = await openStore(settings.CALLBOARD_KV);
  const env = new Map([["CALLBOARD_ADMIN", "root"]]);
  await ensureFirstAdmin({ ...world.deps, kv }, env, { attended: false });
  kv.close();

  const { output } = await link();
  assert.match(output, /^This link sets the password of "root", once and within 60 minutes:/);
  assert.match(output, /^http:\/\/127\.0\.0\.1:3000\/auth\/link\/[\w-]{43}\.1$/m);
  assert.match(output, /another address/);
  const named = await link({ CALLBOARD_URL: "https://example.com/ansible/" });
  assert.match(named.output, /^https:\/\/example\.com\/ansible\/auth\/link\/\S+$/m);
  assert.doesNotMatch(named.output, /another address/);
  const everywhere = await link({ CALLBOARD_HOST: "::" });
  assert.match(everywhere.output, /^http:\/\/localhost:3000\/auth\/link\//m);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("first-link sets a new password of an account that is named", async () => {
  await using world = await fileWorld();
  const refused = await user(world.dir, ["first-link"]);
  assert.equal(refused.code, 1);
  assert.match(refused.output, /already sign in.*first-link --login NAME/);
  for (const name of [["--login", "erin"], ["erin@example.com"]]) {
    const { output } = await user(world.dir, ["first-link", ...name]);
    const path = /\/auth\/link\/\S+/.exec(output)![0];
    const password = `told to nobody, ${name}`;
    assert.equal((await world.post(null, path, { password })).status, 303);
    assert.equal(await signIn(world, "erin", password), 204);
  }
  const unknown = await user(world.dir, ["first-link", "nobody"]);
  assert.match(unknown.output, /does not exist/);
});
