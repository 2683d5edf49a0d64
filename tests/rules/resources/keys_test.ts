import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { keyRows } from "@/lib/resources/keys/repository.ts";
import { newPrivateKey, publicKeyOf } from "@/lib/resources/keys/key_pair.ts";
import { openSecret } from "@/lib/resources/keys/secret.ts";
import { addPasswordKey, inventoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----";

const keysOf = ({ web }: World) => `/api/project/${web.id}/keys`;
const secretOf = async ({ kv, deps, web }: World, id: number) =>
  revealed(await openSecret(deps.secrets, await keyRows.get(kv, web.id, id)));

Deno.test("Mike stores a key, and its secret is never answered", async () => {
  await using world = await newWorld();
  const created = await world.api("mike", "POST", keysOf(world), {
    name: " Deploy key ",
    project_id: world.web.id,
    type: "ssh",
    ssh: { login: "git", passphrase: "open sesame", private_key: PRIVATE_KEY },
    some_future_field: 1,
  });
  assert.equal(created.status, 201);
  assert.equal(created.body.name, "Deploy key");
  assert.deepEqual(created.body.ssh, { login: "", passphrase: "", private_key: "" });

  const one = await world.api("carol", "GET", `${keysOf(world)}/${created.body.id}`);
  assert.deepEqual(one.body, created.body);
  const list = await world.api("carol", "GET", keysOf(world));
  assert.deepEqual(list.body.find(({ id }: { id: number }) => id === one.body.id), one.body);
  assert.equal((await secretOf(world, created.body.id)).type, "ssh");
});

Deno.test("a renamed key keeps its secret; override_secret replaces it", async () => {
  await using world = await newWorld();
  const id = await addPasswordKey(world);
  const before = await secretOf(world, id);

  const put = (body: unknown) => world.api("mike", "PUT", `${keysOf(world)}/${id}`, body);
  assert.equal((await put({ id, name: "Renamed", type: "ssh" })).status, 204);
  assert.deepEqual(await secretOf(world, id), before);
  const { body } = await world.api("mike", "GET", `${keysOf(world)}/${id}`);
  assert.deepEqual([body.name, body.type], ["Renamed", "login_password"]);

  const replaced = { name: "Renamed", type: "login_password", override_secret: true };
  assert.equal((await put(replaced)).status, 400, "without a password");
  const login_password = { login: "me", password: "new" };
  assert.equal((await put({ ...replaced, login_password })).status, 204);
  assert.deepEqual(await secretOf(world, id), { type: "login_password", ...login_password });
});

Deno.test("an unusable private key is reported when it is saved", async () => {
  await using world = await newWorld();
  const encrypted =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----";
  const cases: [Record<string, string>, string][] = [
    [{}, "ssh.private_key"],
    [{ private_key: "ssh-rsa AAAAB3Nz me@home" }, "ssh.private_key"],
    [{ private_key: "\u0001".repeat(32_768) }, "ssh.private_key"],
    [{ private_key: "x".repeat(32_769) }, "ssh.private_key"],
    [{ private_key: encrypted }, "ssh.passphrase"],
  ];
  for (const [ssh, field] of cases) {
    const { status, body } = await world.api("mike", "POST", keysOf(world), {
      name: "Key",
      type: "ssh",
      ssh,
    });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), [field]);
  }
});

Deno.test("the largest private key that is taken fits into its row", async () => {
  await using world = await newWorld();
  const { status } = await world.api("mike", "POST", keysOf(world), {
    name: "ü".repeat(200),
    type: "ssh",
    ssh: { private_key: "é".repeat(26_000), login: "é".repeat(500) },
  });
  assert.equal(status, 201);
});

Deno.test("a key that is used for its password keeps its type", async () => {
  await using world = await newWorld();
  const id = await addPasswordKey(world);
  const toNone = () =>
    world.api("mike", "PUT", `${keysOf(world)}/${id}`, {
      name: "None now",
      type: "none",
      override_secret: true,
    });
  const base = `/api/project/${world.web.id}`;
  const inventory = inventoryForm(world, { ssh_key_id: id, become_key_id: id });
  await world.api("mike", "POST", `${base}/inventory`, inventory);
  const template = await world.api(
    "mike",
    "POST",
    `${base}/templates`,
    templateForm(world, { vault_key_id: id }),
  );
  const refused = await toNone();
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.templates, [{ id: template.body.id, name: "Nightly" }]);
  assert.match(refused.body.error, /used by template "Nightly", so its type must stay/);
  await world.api("mike", "DELETE", `${base}/templates/${template.body.id}`);
  assert.equal((await toNone()).status, 204, "to get into hosts, any type will do");
});

Deno.test("Bob may not change keys, Dave does not see them, and no one is asked to sign in", async () => {
  await using world = await newWorld();
  const path = `${keysOf(world)}/${world.web.keyId}`;
  const form = { name: "Mine", type: "none" };
  assert.equal((await world.api("bob", "GET", path)).status, 200);
  assert.equal((await world.api("bob", "POST", keysOf(world), form)).status, 403);
  assert.equal((await world.api("bob", "PUT", path, form)).status, 403);
  assert.equal((await world.api("bob", "DELETE", path)).status, 403);
  assert.equal((await world.api("dave", "GET", path)).status, 404);
  assert.equal((await world.api("dave", "GET", `${path}/refs`)).status, 404);
  assert.equal((await world.api(null, "GET", path)).status, 401);
  const foreign = `/api/project/${world.lab.id}/keys/${world.web.keyId}`;
  assert.equal((await world.api("dave", "PUT", foreign, form)).status, 404);
});

/** Returns the private half of a stored key. */
async function privateKeyOf(world: World, id: number): Promise<string> {
  const secret = await secretOf(world, id) as { privateKey: string; passphrase: string };
  assert.equal(secret.passphrase, "");
  return secret.privateKey;
}

Deno.test("Mike generates a key pair, and is shown its public half only, then and later", async () => {
  await using world = await newWorld();
  const form = { name: "Deploy key", type: "ssh", ssh: { login: "deploy" }, generate: true };
  const { status, body } = await world.api("mike", "POST", keysOf(world), form);
  assert.equal(status, 201);
  const first = await privateKeyOf(world, body.id);
  assert.equal(body.public_key, `${publicKeyOf(first)} Web-shop/Deploy-key`);
  assert.match(body.public_key, /^ssh-ed25519 AAAA/);
  assert.deepEqual(body.ssh, { login: "", passphrase: "", private_key: "" });
  const item = `${keysOf(world)}/${body.id}`;
  assert.deepEqual((await world.api("carol", "GET", item)).body, body);

  const put = (body: unknown) => world.api("mike", "PUT", item, body);
  assert.equal((await put({ name: "Renamed", generate: true })).status, 204);
  assert.equal(await privateKeyOf(world, body.id), first, "only with override_secret");
  assert.equal((await put({ ...form, override_secret: true })).status, 204);
  const second = await privateKeyOf(world, body.id);
  assert.notEqual(second, first);
  const { public_key } = (await world.api("carol", "GET", item)).body;
  assert.ok(public_key.startsWith(`${publicKeyOf(second)} `));
  assert.equal((await put({ name: "None", type: "none", override_secret: true })).status, 204);
  assert.equal((await world.api("carol", "GET", item)).body.public_key, null);
});

Deno.test("a pasted private key has its public half, where it can be computed", async () => {
  await using world = await newWorld();
  const keyOf = async (private_key: string) =>
    (await world.api("mike", "POST", keysOf(world), {
      name: "Pasted key",
      type: "ssh",
      ssh: { private_key },
    })).body.public_key;
  const privateKey = newPrivateKey("me@home");
  const pasted = privateKey.trim().replaceAll("\n", "\r\n");
  assert.equal(await keyOf(pasted), `${publicKeyOf(privateKey)} Web-shop/Pasted-key`);
  assert.equal(await keyOf(PRIVATE_KEY), null);
});

Deno.test("the page that creates a pair leads to the key, which shows the public half", async () => {
  await using world = await newWorld();
  const list = `/project/${world.web.id}/keys`;
  const form = { name: "Hosts", type: "ssh", "ssh.login": "deploy", generate: "true" };
  const made = await world.post("mike", `${list}/new`, form);
  const path = made.headers.get("location")!;
  assert.match(path, new RegExp(`^${list}/\\d+$`));
  const id = Number(path.split("/").at(-1));
  const privateKey = await privateKeyOf(world, id);
  const html = await htmlOf(await world.get("mike", path));
  assert.ok(html.includes(`<code>${publicKeyOf(privateKey)} Web-shop/Hosts</code>`));
  assert.ok(!html.includes(privateKey.split("\n")[3]));
  const other = await htmlOf(await world.get("mike", `${list}/${world.web.keyId}`));
  assert.doesNotMatch(other, /Public key/);
});

Deno.test("a public half that no row has room for is not shown, and the key is stored", async () => {
  await using world = await newWorld();
  const number = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
  const text = (value: string) => [number(value.length), Buffer.from(value)];
  const modulus = "n".repeat(23_000);
  const blob = Buffer.concat([...text("ssh-rsa"), ...text(modulus)]).toString("latin1");
  const file = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    ...text("none"),
    ...text("none"),
    ...text(""),
    number(1),
    number(blob.length),
    Buffer.from(blob, "latin1"),
  ]);
  const label = "OPENSSH PRIVATE KEY";
  const private_key = `-----BEGIN ${label}-----\n${
    file.toString("base64")
  }\n-----END ${label}-----`;
  const { status, body } = await world.api("mike", "POST", keysOf(world), {
    name: "Long",
    project_id: world.web.id,
    type: "ssh",
    ssh: { login: "", passphrase: "p".repeat(4_096), private_key },
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.public_key, null);
});
