import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pathOf = ({ web }: World, rest: string) => `/api/project/${web.id}/${rest}`;

async function make(world: World, kind: string, body: unknown): Promise<number> {
  const answer = await world.api("mike", "POST", pathOf(world, kind), body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Returns the hosts that Mike is shown for a new inventory. */
async function hostsOf(world: World, fields: Record<string, unknown>) {
  const id = await make(world, "inventory", { name: "Read", ssh_key_id: null, ...fields });
  return await world.api("mike", "GET", pathOf(world, `inventory/${id}/hosts`));
}

const leftovers = ({ deps: { config } }: World) =>
  [...Deno.readDirSync(join(config.dataDir, "tasks"))].map(({ name }) => name);

Deno.test("Ansible lists groups and hosts of an inventory, whatever it is written in", async () => {
  await using world = await newWorld();
  const ini = await hostsOf(world, {
    type: "static",
    inventory: "lonely\n[web]\nweb[1:2] ansible_password=hush\n[prod:children]\nweb",
  });
  assert.equal(ini.status, 200, JSON.stringify(ini.body));
  assert.deepEqual(ini.body, {
    groups: [{ name: "ungrouped", hosts: ["lonely"] }, { name: "web", hosts: ["web1", "web2"] }],
    hosts: 3,
    warnings: [],
  });
  const yaml = await hostsOf(world, {
    type: "static-yaml",
    inventory: "all:\n  children:\n    db:\n      hosts:\n        db1:\n          secret: hush\n",
  });
  const db = (host: string) => ({
    groups: [{ name: "db", hosts: [host] }],
    hosts: 1,
    warnings: [],
  });
  assert.deepEqual(yaml.body, db("db1"));
  const marked = await hostsOf(world, { type: "static", inventory: "\ufeffweb1\n[db]\nweb1" });
  assert.deepEqual(marked.body, db("web1"));
  const empty = await hostsOf(world, { type: "static", inventory: "" });
  assert.deepEqual(empty.body, { groups: [], hosts: 0, warnings: [] });
  assert.deepEqual(leftovers(world), []);
});

Deno.test("an inventory in a repository is read where it lies, with its settings, and a script is run", async () => {
  await using world = await newWorld();
  const git = await newGitRepository(join(world.folder, "repository"));
  await git.commit({
    "ansible.cfg": "[defaults]\ninventory_ignore_extensions = .txt\n",
    "prod/hosts": "[web]\nweb1\n",
    "prod/notes.txt": "nothing that Ansible could read: [\n",
    "prod/group_vars/web.yml": "$ANSIBLE_VAULT;1.1;AES256\n6162\n",
    "script.sh":
      '#!/bin/sh\necho \'{"cloud": {"hosts": ["vm1", "vm2"]}, "_meta": {"hostvars": {}}}\'\n',
    "outside": "",
  }, "Hosts");
  await git.git("update-index", "--chmod=+x", "script.sh");
  await Deno.remove(join(git.path, "outside"));
  await Deno.symlink("/etc/passwd", join(git.path, "outside"));
  await Deno.chmod(join(git.path, "script.sh"), 0o755);
  await git.commit({}, "A script and a link");
  const repository_id = await make(world, "repositories", {
    name: "Inventories",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const file = (inventory: string, id: number | null = repository_id) =>
    hostsOf(world, { type: "file", inventory, repository_id: id });
  assert.deepEqual((await file("prod")).body, {
    groups: [{ name: "web", hosts: ["web1"] }],
    hosts: 1,
    warnings: [],
  });
  assert.deepEqual((await file("script.sh")).body.groups, [{
    name: "cloud",
    hosts: ["vm1", "vm2"],
  }]);
  const list = await htmlOf(await world.get("carol", `/project/${world.web.id}/inventory`));
  assert.match(list, /title="Hosts in the last test of the inventory">2</);
  assert.match((await file("none")).body.error, /has no inventory none/);
  assert.match((await file("outside")).body.error, /is outside the repository/);
  const own = await file("prod", null);
  assert.equal(own.status, 400);
  assert.match(own.body.fields.repository_id, /in the repository of each template/);
  assert.deepEqual(leftovers(world), []);
});

Deno.test("inventory files that Ansible reads in a folder are listed, with its warnings about the rest", async () => {
  await using world = await newWorld();
  const git = await newGitRepository(join(world.folder, "repository"));
  await git.commit({
    "prod/10-hosts": "[web]\nweb1\n",
    "prod/20.aws_ec2.yml": "plugin: missing.collection.aws_ec2\n",
    "none/group_vars/all.yml": "a: 1\n",
    "broken": "[web:odd]\na\n",
  }, "Hosts");
  const repository_id = await make(world, "repositories", {
    name: "Inventories",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const file = (inventory: string) => hostsOf(world, { type: "file", inventory, repository_id });
  const { status, body } = await file("prod");
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.groups, [{ name: "web", hosts: ["web1"] }]);
  const warnings = body.warnings.join("\n");
  assert.match(warnings, /^prod\/20\.aws_ec2\.yml: .*missing\.collection\.aws_ec2/m);
  assert.doesNotMatch(warnings, /\/tasks\/|'ini'/);
  const { body: none } = await file("none");
  assert.deepEqual([none.groups, none.hosts], [[], 0], JSON.stringify(none));
  assert.match(none.warnings[0], /none/);
  assert.equal((await file("broken")).status, 422);

  const page = `/project/${world.web.id}/inventory/new`;
  const typed = { type: "file", path: "prod", repository_id: String(repository_id), test: "typed" };
  const html = await htmlOf(await world.post("mike", page, typed));
  assert.match(html, /Hosts: 1.*Ansible reports:.*20\.aws_ec2\.yml/s);
  // A task ends with it, too.
  await git.commit({ "ansible.cfg": "[inventory]\nany_unparsed_is_failed = true\n" }, "Strict");
  assert.equal((await file("prod")).status, 422);
});

/** Creates a toolchain whose Ansible finds another host. Returns its id. */
async function otherAnsible(world: World): Promise<number> {
  const folder = join(world.folder, "other");
  await Deno.mkdir(folder);
  const program = (name: string, text: string) =>
    Deno.writeTextFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await program("ansible-playbook", "echo 'ansible-playbook [core 2.16.0]'");
  await program("ansible-inventory", "printf '@all:\\n  |--@ungrouped:\\n  |  |--other\\n'");
  const body = { name: "Other", kind: "path", path: folder };
  const { status, body: made } = await world.api("erin", "POST", pathOf(world, "toolchains"), body);
  assert.equal(status, 201, JSON.stringify(made));
  return made.id;
}

Deno.test("the Ansible of an inventory's toolchain reads it", async () => {
  await using world = await newWorld();
  const toolchain_id = await otherAnsible(world);
  const { body } = await hostsOf(world, { type: "static", inventory: "web1\n", toolchain_id });
  assert.deepEqual(body.groups, [{ name: "ungrouped", hosts: ["other"] }], JSON.stringify(body));
  const { body: own } = await hostsOf(world, { type: "static", inventory: "web1\n" });
  assert.deepEqual(own.groups, [{ name: "ungrouped", hosts: ["web1"] }], JSON.stringify(own));
});

const PLUGIN = `
from ansible.plugins.inventory import BaseInventoryPlugin
DOCUMENTATION = """
name: fixed
short_description: Fixed hosts
description: Fixed hosts
options:
  plugin:
    description: its name
    required: true
"""
class InventoryModule(BaseInventoryPlugin):
    NAME = "acme.lab.fixed"
    def verify_file(self, path):
        return path.endswith("fixed.yml")
    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path, cache)
        inventory.add_host("from-plugin", group="all")
`;

Deno.test("a plugin of an inventory comes from the requirements that a task installs", async () => {
  await using world = await newWorld();
  const git = await newGitRepository(join(world.folder, "repository"));
  const galaxy = { namespace: "acme", name: "lab", version: "1.0.0", readme: "README.md" };
  const collection = {
    "lab/galaxy.yml": JSON.stringify({ ...galaxy, authors: ["me"] }),
    "lab/README.md": "Lab",
    "lab/plugins/inventory/fixed.py": PLUGIN,
  };
  await git.commit({
    ...collection,
    "requirements.yml": "collections: [{ name: ./lab, type: dir }]\n",
    "fixed.yml": "plugin: acme.lab.fixed\n",
  }, "A collection with an inventory plugin");
  const repository_id = await make(world, "repositories", {
    name: "Inventories",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const file = { type: "file", inventory: "fixed.yml", repository_id };
  const { status, body } = await hostsOf(world, file);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.groups, [{ name: "ungrouped", hosts: ["from-plugin"] }]);
  assert.deepEqual(body.warnings, []);
  await git.commit(
    { "requirements.yml": "collections: [{ name: ./none, type: dir }]\n" },
    "Broken",
  );
  const { status: without, body: said } = await hostsOf(world, file);
  assert.equal(without, 422);
  assert.match(said.error, /acme\.lab\.fixed/);
});

Deno.test("input that Ansible cannot read is reported in its words, without paths of the server", async () => {
  await using world = await newWorld();
  const { status, body } = await hostsOf(world, {
    type: "static-yaml",
    inventory: "all:\n  hosts: [\n",
  });
  assert.equal(status, 422);
  assert.match(
    body.error,
    /^Ansible cannot read this inventory:\n[^]*(YAML parsing failed|Syntax Error while loading YAML)/,
  );
  assert.match(body.error, /'inventory\.yml'/);
  assert.doesNotMatch(body.error, /'ini' plugin|\/tasks\//);
  const ini = await hostsOf(world, { type: "static", inventory: "[web:odd]\na\n" });
  assert.match(ini.body.error, /web:odd/);
  assert.doesNotMatch(ini.body.error, /'yaml' plugin/);
});

Deno.test("Mike tests the inventory that he typed, before it is stored", async () => {
  await using world = await newWorld();
  const page = `/project/${world.web.id}/inventory/new`;
  const typed = { type: "static", inventory: "[web]\nweb1\nweb2\n", test: "typed" };
  const sent = await world.post("mike", page, typed);
  assert.equal(sent.status, 200);
  const html = await htmlOf(sent);
  assert.match(html, /Ansible can read this inventory\. Hosts: 2/);
  assert.match(html, /web: 2.*<code>web1<\/code>.*<code>web2<\/code>/s);
  assert.equal((await world.api("mike", "GET", pathOf(world, "inventory"))).body.length, 1);
  const file = { type: "file", path: "hosts", repository_id: "", test: "typed" };
  assert.match(await htmlOf(await world.post("mike", page, file)), /choose a repository here/);
  const bad = { type: "file", path: "../hosts", repository_id: "", test: "typed" };
  assert.match(await htmlOf(await world.post("mike", page, bad)), /#field-path/);
  assert.equal((await world.post("bob", page, typed)).status, 403);
  const events = await world.api("mike", "GET", pathOf(world, "events"));
  assert.match(events.body[0].description, /The unsaved settings of inventory/);
});
