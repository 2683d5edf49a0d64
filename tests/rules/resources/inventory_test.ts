import assert from "node:assert/strict";
import { addPasswordKey, inventoryForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pathOf = ({ web }: World) => `/api/project/${web.id}/inventory`;

Deno.test("Mike adds an inventory, and it is answered alike everywhere", async () => {
  await using world = await newWorld();
  const become_key_id = await addPasswordKey(world, "Root");
  const sent = inventoryForm(world, { become_key_id, holder_id: null });
  const created = await world.api("mike", "POST", pathOf(world), sent);
  assert.equal(created.status, 201);
  const { id, ...fields } = created.body;
  assert.deepEqual(fields, {
    ...inventoryForm(world),
    become_key_id,
    ssh_key_ids: [world.web.keyId],
    ssh_key_hosts: {},
    holder_id: null,
    own_key: false,
    repository_id: null,
    runner_tag: null,
    toolchain_id: null,
    keep_paths: null,
    project_id: world.web.id,
  });
  assert.deepEqual((await world.api("carol", "GET", `${pathOf(world)}/${id}`)).body, created.body);
  assert.deepEqual((await world.api("carol", "GET", pathOf(world))).body[0], created.body);
});

Deno.test("a file inventory stays inside its repository, on POST and on PUT", async () => {
  await using world = await newWorld();
  const { web } = world;
  const file = (inventory: string) =>
    inventoryForm(world, { type: "file", inventory, repository_id: web.repositoryId });
  const created = await world.api("mike", "POST", pathOf(world), file("invs/prod/hosts"));
  assert.equal(created.body.repository_id, web.repositoryId);
  for (const path of ["/etc/hosts", "../hosts", "invs/../../hosts", "", " "]) {
    const post = await world.api("mike", "POST", pathOf(world), file(path));
    const put = await world.api("mike", "PUT", `${pathOf(world)}/${created.body.id}`, file(path));
    assert.deepEqual([post.status, put.status], [400, 400], path);
    assert.ok(put.body.fields.inventory);
  }
});

Deno.test("keys and repository must be of the project", async () => {
  await using world = await newWorld();
  const post = (fields: Record<string, unknown>) =>
    world.api("mike", "POST", pathOf(world), inventoryForm(world, fields));
  assert.equal((await post({ ssh_key_id: world.lab.keyId })).status, 404);
  assert.equal((await post({ become_key_id: world.lab.keyId })).status, 404);
  assert.equal((await post({ type: "file", inventory: "hosts", repository_id: 99 })).status, 404);
  assert.equal((await post({ type: "csv" })).status, 400);
});

Deno.test("inventories of kinds that do not run here are refused with the reason", async () => {
  await using world = await newWorld();
  for (const type of ["terraform-workspace", "tofu-workspace", "terraform-inventory"]) {
    const { status, body } = await world.api("mike", "POST", pathOf(world), {
      ...inventoryForm(world),
      type,
    });
    assert.equal(status, 400, type);
    assert.match(body.error, /^type: Callboard runs only Ansible/);
  }
});

Deno.test("a byte-order mark is not part of a pasted inventory, nor of variables", async () => {
  await using world = await newWorld();
  for (const type of ["static", "static-yaml"]) {
    const form = inventoryForm(world, { type, inventory: "\ufeffweb1:\n  \ufeff" });
    const { status, body } = await world.api("mike", "POST", pathOf(world), form);
    assert.deepEqual([status, body.inventory], [201, "web1:\n  \ufeff"]);
  }
  const project = `/api/project/${world.web.id}`;
  const variables = { name: "Marked", json: '\ufeff{"a":1}', env: '\ufeff{"A":"1"}' };
  const environment = await world.api("mike", "POST", `${project}/environment`, variables);
  assert.equal(environment.status, 201, JSON.stringify(environment.body));
  assert.deepEqual([environment.body.json, environment.body.env], ['{"a":1}', '{"A":"1"}']);
});

Deno.test("a long inventory comes back as it was sent; one that is too long is refused", async () => {
  await using world = await newWorld();
  const long = "host-ü.example.com\n".repeat(12_000);
  const post = (inventory: string) =>
    world.api("mike", "POST", pathOf(world), inventoryForm(world, { inventory }));
  const created = await post(long);
  assert.equal(created.status, 201);
  const item = `${pathOf(world)}/${created.body.id}`;
  assert.equal((await world.api("bob", "GET", item)).body.inventory, long);

  await world.api("mike", "PUT", item, inventoryForm(world, { inventory: "[web]\n" }));
  assert.equal((await world.api("bob", "GET", item)).body.inventory, "[web]\n");
  const chunks = await Array.fromAsync(world.kv.list({ prefix: ["text_chunks"] }));
  assert.deepEqual(chunks, [], "nothing is left of the long one");

  const tooLong = await post("ü".repeat(140_000));
  assert.equal(tooLong.status, 400);
  assert.match(tooLong.body.fields.inventory, /The limit is 262,144/);
});
