import assert from "node:assert/strict";
import { reveal } from "@/lib/base/secret.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { newPrivateKey, publicKeyOf } from "@/lib/resources/keys/key_pair.ts";
import type { OwnKeyRow } from "@/lib/resources/own_keys/schema.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const KEYS = "/api/user/keys";

const rowsOf = (world: World, userId: number) =>
  Array.fromAsync(
    world.kv.list<OwnKeyRow>({ prefix: rowKeys.ownKeys(userId) }),
    ({ value }) => value,
  );

Deno.test("a person adds, changes and removes an own key, and no answer contains its secret", async () => {
  await using world = await newWorld();
  const privateKey = newPrivateKey("laptop");
  const ssh = { login: "bob", private_key: privateKey, passphrase: "" };
  const { status, body } = await world.api("bob", "POST", KEYS, { name: "Laptop", ssh });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body.ssh, { login: "bob", private_key: "", passphrase: "" });
  assert.ok(body.public_key.startsWith(publicKeyOf(privateKey)!));
  const [row] = await rowsOf(world, world.people.bob.id);
  assert.deepEqual(JSON.parse(reveal(await world.deps.secrets.open(row.secret), "parse")), {
    type: "ssh",
    login: "bob",
    passphrase: "",
    privateKey,
  });

  const change = { name: "Desktop", ssh: { login: "root" } };
  assert.equal((await world.api("bob", "PUT", `${KEYS}/${body.id}`, change)).status, 204);
  const [renamed] = (await world.api("bob", "GET", KEYS)).body;
  assert.equal(renamed.name, "Desktop");
  assert.equal(renamed.ssh.login, "root");
  assert.equal(renamed.public_key, body.public_key, "the private key stays");

  const replaced = { name: "Desktop", generate: true };
  await world.api("bob", "PUT", `${KEYS}/${body.id}`, replaced);
  const { body: next } = await world.api("bob", "GET", `${KEYS}/${body.id}`);
  assert.notEqual(next.public_key, body.public_key);

  const page = await (await world.get("bob", "/account/keys")).text();
  assert.ok(page.includes(next.public_key));
  assert.ok(!page.includes(privateKey.split("\n")[1]));
  assert.equal((await world.api("bob", "DELETE", `${KEYS}/${body.id}`)).status, 204);
  assert.deepEqual(await rowsOf(world, world.people.bob.id), []);
});

Deno.test("an own key is checked as a project's key is", async () => {
  await using world = await newWorld();
  const fieldOf = async (body: object) => {
    const answer = await world.api("bob", "POST", KEYS, body);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    return Object.keys(answer.body.fields);
  };
  assert.deepEqual(await fieldOf({ name: "", generate: true }), ["name"]);
  assert.deepEqual(await fieldOf({ name: "A" }), ["ssh.private_key"]);
  const ssh = { private_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@home" };
  assert.deepEqual(await fieldOf({ name: "A", ssh }), ["ssh.private_key"]);
});

Deno.test("a person has at most 20 own keys, also if all are added at the same time", async () => {
  for (let round = 0; round < 4; round++) {
    await using world = await newWorld();
    const add = async () =>
      (await world.api("bob", "POST", KEYS, { name: "A", generate: true })).status;
    for (let n = 0; n < 15; n++) await add();
    const last = await Promise.all(Array.from({ length: 12 }, add));
    assert.equal((await rowsOf(world, world.people.bob.id)).length, 20);
    assert.deepEqual(last.filter((status) => status !== 201), Array(7).fill(409));
  }
});

Deno.test("the form of an own key keeps what was typed, and shows a generated public key", async () => {
  await using world = await newWorld();
  const wrong = await world.post("bob", "/account/keys/new", { name: "Laptop" });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /value="Laptop"/);
  const made = await world.post("bob", "/account/keys/new", { name: "Laptop", generate: "true" });
  assert.equal(made.status, 303);
  const path = made.headers.get("location")!;
  assert.match(path, /^\/account\/keys\/\d+/);
  assert.match(await (await world.get("bob", path)).text(), /ssh-ed25519 AAAA/);
  assert.equal((await world.get("erin", path)).status, 404);
  const [{ id }] = await rowsOf(world, world.people.bob.id);
  const removed = await world.post("bob", "/account/keys/remove", { key: String(id) });
  assert.equal(removed.status, 303);
  assert.deepEqual(await rowsOf(world, world.people.bob.id), []);
});

Deno.test("own keys end with their account, and with a password that someone else sets", async () => {
  await using world = await newWorld();
  const { bob } = world.people;
  const add = () => world.api("bob", "POST", KEYS, { name: "Laptop", generate: true });
  await add();
  const page = await (await world.get("erin", `/users/${bob.id}`)).text();
  assert.match(page, /1 SSH key\./);
  assert.ok(!page.includes("Laptop"));
  const password = "a new passphrase";
  await world.api("erin", "POST", `/api/users/${bob.id}/password`, { password });
  assert.deepEqual(await rowsOf(world, bob.id), []);

  await world.api("carol", "POST", KEYS, { name: "Laptop", generate: true });
  const { carol } = world.people;
  const { body } = await world.api("erin", "GET", `/api/users/${carol.id}`);
  const saved = await world.api("erin", "PUT", `/api/users/${carol.id}`, { ...body, password });
  assert.equal(saved.status, 204, JSON.stringify(saved.body));
  assert.deepEqual(await rowsOf(world, carol.id), []);

  await world.api("mike", "POST", KEYS, { name: "Laptop", generate: true });
  assert.equal((await rowsOf(world, world.people.mike.id)).length, 1);
  assert.equal(
    (await world.api("erin", "DELETE", `/api/users/${world.people.mike.id}`)).status,
    204,
  );
  assert.deepEqual(await rowsOf(world, world.people.mike.id), []);
});
