import assert from "node:assert/strict";
import {
  addPasswordKey,
  addSshKey,
  inventoryForm,
  templateForm,
} from "@/tests/support/world/forms.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pathOf = ({ web }: World, kind: string) => `/api/project/${web.id}/${kind}`;

async function make(world: World, kind: string, body: unknown): Promise<number> {
  const answer = await world.api("mike", "POST", pathOf(world, kind), body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

const keysOf = async (world: World, kind: string, id: number) => {
  const { body } = await world.api("mike", "GET", `${pathOf(world, kind)}/${id}`);
  return { ids: body.ssh_key_ids, hosts: body.ssh_key_hosts, first: body.ssh_key_id };
};

Deno.test("an inventory has keys in order, and a client that knows one of them", async () => {
  await using world = await newWorld();
  const [a, b, c] = [await addSshKey(world), await addSshKey(world), await addSshKey(world)];
  const hosts = { [b]: ["db*", "monitoring"] };
  const id = await make(
    world,
    "inventory",
    inventoryForm(world, { ssh_key_id: undefined, ssh_key_ids: [a, b, a], ssh_key_hosts: hosts }),
  );
  const put = async (fields: Record<string, unknown>) => {
    const body = inventoryForm(world, { ssh_key_id: undefined, ...fields });
    const { status } = await world.api("mike", "PUT", `${pathOf(world, "inventory")}/${id}`, body);
    assert.equal(status, 204);
    return await keysOf(world, "inventory", id);
  };
  const both = { ids: [a, b], hosts, first: a };
  assert.deepEqual(await keysOf(world, "inventory", id), both);
  assert.deepEqual(await put({ ssh_key_id: a }), both);
  assert.deepEqual(await put({ ssh_key_id: a, ssh_key_ids: [a, b] }), both);
  assert.deepEqual(await put({ ssh_key_ids: [c, b] }), { ...both, ids: [c, b], first: c });
  const one = { ids: [a], hosts: {}, first: a };
  assert.deepEqual(await put({ ssh_key_id: a, ssh_key_ids: [c, b], ssh_key_hosts: hosts }), one);
  assert.deepEqual(await put({ ssh_key_ids: [b, a] }), { ids: [b, a], hosts: {}, first: b });
  assert.deepEqual(await put({ ssh_key_id: c }), { ids: [c], hosts: {}, first: c });
  assert.deepEqual(await put({}), { ids: [], hosts: {}, first: null });
});

Deno.test("keys of lists are SSH keys of the project, and are in use", async () => {
  await using world = await newWorld();
  const [key, other] = [await addSshKey(world), await addSshKey(world)];
  const password = await addPasswordKey(world);
  const refusals: [string, Record<string, unknown>, number, string][] = [
    ["inventory", { ssh_key_ids: [key, password] }, 400, "ssh_key_ids.1"],
    ["inventory", { ssh_key_ids: [key, 99_999] }, 404, "ssh_key_ids.1"],
    ["inventory", { ssh_key_ids: Array.from({ length: 51 }, (_, n) => n + 1) }, 400, "ssh_key_ids"],
    ["inventory", { ssh_key_hosts: { [key]: ["a b"] } }, 400, `ssh_key_hosts.${key}.0`],
    ["inventory", { ssh_key_hosts: { x: ["a"] } }, 400, "ssh_key_hosts.x"],
    ["templates", { ssh_key_ids: [password] }, 400, "ssh_key_ids.0"],
  ];
  for (const [kind, fields, status, field] of refusals) {
    const form = kind === "templates" ? templateForm : inventoryForm;
    const body = form(world, { ssh_key_id: undefined, ...fields });
    const answer = await world.api("mike", "POST", pathOf(world, kind), body);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body.fields), [field]);
  }
  // A login with password may be the first key.
  const rest = { ssh_key_id: undefined, ssh_key_ids: [password, key] };
  const inventory = await make(world, "inventory", inventoryForm(world, rest));
  const template = await make(world, "templates", templateForm(world, { ssh_key_ids: [other] }));
  for (
    const [id, kind, user] of [[key, "inventories", inventory], [other, "templates", template]]
  ) {
    const item = `${pathOf(world, "keys")}/${id}`;
    const refused = await world.api("mike", "DELETE", item);
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.body[kind].map((row: { id: number }) => row.id), [user]);
    const renewed = { name: "New", type: "ssh", override_secret: true, generate: true, ssh: {} };
    const put = await world.api("mike", "PUT", item, renewed);
    assert.equal(put.status, 204, JSON.stringify(put.body));
    // All hosts of a run would be offered its password.
    const login_password = { login: "root", password: "for some hosts only" };
    for (const type of ["login_password", "none"]) {
      const other = { name: "New", type, override_secret: true, login_password };
      const changed = await world.api("mike", "PUT", item, other);
      assert.equal(changed.status, 409, JSON.stringify(changed.body));
      assert.match(changed.body.error, /must stay "SSH key"/);
    }
  }
});

Deno.test("the forms add, show and remove keys without a script", async () => {
  await using world = await newWorld();
  const { web } = world;
  const [a, b] = [await addSshKey(world, "Alpha"), await addSshKey(world, "Beta")];
  const page = `/project/${web.id}/inventory/new`;
  const typed = { name: "Two", type: "static", inventory: "a", ssh_key_id: `${a}` };
  const added = await htmlOf(await world.post("mike", page, { ...typed, ssh_key: "add" }));
  assert.match(added, /name="ssh_keys\.0\.id"/);
  assert.match(added, /name="ssh_key_patterns"/);
  const isOpen = /<details id="inventory-more"[^>]* open/;
  assert.match(added, isOpen);
  const rows = {
    "ssh_key_patterns": "web*",
    "ssh_keys.2.id": `${b}`,
    "ssh_keys.2.hosts": "db, mq",
  };
  const removed = await world.post("mike", page, { ...typed, ...rows, ssh_key: "remove.2" });
  const without = await htmlOf(removed);
  assert.doesNotMatch(without, /name="ssh_keys\./);
  assert.match(without, isOpen);
  assert.equal((await world.post("mike", page, { ...typed, ...rows })).status, 303);
  const { body } = await world.api("mike", "GET", pathOf(world, "inventory"));
  const made = body.find(({ name }: { name: string }) => name === "Two");
  const wanted = { ids: [a, b], hosts: { [a]: ["web*"], [b]: ["db", "mq"] } };
  assert.deepEqual({ ids: made.ssh_key_ids, hosts: made.ssh_key_hosts }, wanted);
  const shown = await htmlOf(await world.get("mike", `/project/${web.id}/inventory/${made.id}`));
  assert.match(shown, /name="ssh_keys\.0\.hosts"[^>]*value="db mq"/);
  assert.doesNotMatch(shown, isOpen);
  assert.match(shown, /class="fold-summary"[^>]*>web\* · Beta · db mq</);

  const edit = `/project/${web.id}/templates/${web.templateId}/edit`;
  const template = {
    name: "With keys",
    playbook: "site.yml",
    inventory_id: `${web.inventoryId}`,
    repository_id: `${web.repositoryId}`,
    environment_id: `${web.environmentId}`,
    "ssh_keys.3.id": `${b}`,
    "ssh_keys.3.hosts": "x",
  };
  const again = await htmlOf(await world.post("mike", edit, { ...template, ssh_key: "add" }));
  assert.match(again, /name="ssh_keys\.4\.id"/);
  assert.equal((await world.post("mike", edit, template)).status, 303);
  const { ids, hosts } = await keysOf(world, "templates", web.templateId);
  assert.deepEqual({ ids, hosts }, { ids: [b], hosts: { [b]: ["x"] } });
});

Deno.test("a key has options of ssh, whose jump host can have a key of its own", async () => {
  await using world = await newWorld();
  const jumpKey = await addSshKey(world, "Gate");
  const jump = { host: "gate.example.com", port: 2222, user: "jump", key_id: jumpKey };
  const options = { user: "ops", port: 2200, jump };
  const form = { name: "Behind", type: "ssh", generate: true, ssh: {} };
  const id = await make(world, "keys", { ...form, ssh_options: options });
  const item = `${pathOf(world, "keys")}/${id}`;
  const optionsOf = async () => (await world.api("carol", "GET", item)).body.ssh_options;
  const put = async (fields: Record<string, unknown>) => {
    const { status } = await world.api("mike", "PUT", item, { name: "Behind", ...fields });
    assert.equal(status, 204);
    return await optionsOf();
  };
  assert.deepEqual(await optionsOf(), options);
  assert.deepEqual(await put({}), options);
  assert.deepEqual(await put({ ...form, override_secret: true }), options);
  const refused = await world.api("mike", "DELETE", `${pathOf(world, "keys")}/${jumpKey}`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /key "Behind"/);
  const gate = { name: "Gate", type: "none", override_secret: true };
  const plain = await world.api("mike", "PUT", `${pathOf(world, "keys")}/${jumpKey}`, gate);
  assert.match(plain.body.error, /key "Behind".*must stay "SSH key"/);
  // The key itself is no use of it.
  const own = { jump: { host: "gate", key_id: id } };
  assert.deepEqual(await put({ ssh_options: own }), { jump: { host: "gate" } });
  assert.equal(
    (await world.api("mike", "DELETE", `${pathOf(world, "keys")}/${jumpKey}`)).status,
    204,
  );
  assert.equal(await put({ ssh_options: { user: "", port: 0, jump: { host: "" } } }), null);
  await put({ ssh_options: options.user ? { user: "ops" } : null });
  assert.equal(await put({ type: "none", override_secret: true }), null);

  const password = await addPasswordKey(world);
  const wrong: [Record<string, unknown>, number, string][] = [
    [{ jump: { host: "-oProxyCommand=x" } }, 400, "ssh_options.jump.host"],
    [{ jump: { host: "a b" } }, 400, "ssh_options.jump.host"],
    [{ user: "-x" }, 400, "ssh_options.user"],
    [{ port: 70_000 }, 400, "ssh_options.port"],
    [{ jump: { host: "a", key_id: 99_999 } }, 404, "ssh_options.jump.key_id"],
    [{ jump: { host: "a", key_id: password } }, 400, "ssh_options.jump.key_id"],
  ];
  for (const [ssh_options, status, field] of wrong) {
    const answer = await world.api("mike", "POST", pathOf(world, "keys"), { ...form, ssh_options });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body.fields), [field]);
  }
  const page = `/project/${world.web.id}/keys/new`;
  const typed = { name: "Typed", type: "ssh", generate: "on", "ssh_options.port": "2200" };
  const sent = await world.post("mike", page, { ...typed, "ssh_options.jump.host": "gate" });
  assert.equal(sent.status, 303);
  const { body } = await world.api("mike", "GET", pathOf(world, "keys"));
  const made = body.find(({ name }: { name: string }) => name === "Typed");
  assert.deepEqual(made.ssh_options, { port: 2200, jump: { host: "gate" } });
});
