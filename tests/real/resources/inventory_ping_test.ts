import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { sharedSshd } from "@/tests/support/programs/sshd.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const PYTHON = "ansible_python_interpreter={{ansible_playbook_python}}";

async function make(world: World, kind: string, body: unknown): Promise<number> {
  const answer = await world.api("mike", "POST", `/api/project/${world.web.id}/${kind}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Returns what the form shows Mike after a connection test with these fields. */
async function pinged(world: World, fields: Record<string, string>) {
  const typed = { type: "static", ssh_key_id: `${world.web.keyId}`, ...fields, test: "ping" };
  const sent = await world.post("mike", `/project/${world.web.id}/inventory/new`, typed);
  assert.equal(sent.status, 200);
  const html = await htmlOf(sent);
  const [outcome = ""] = /<section id="connection-test-ping".*?<\/section>/s.exec(html) ?? [];
  return outcome.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

const leftovers = ({ deps: { config } }: World) =>
  [...Deno.readDirSync(join(config.dataDir, "tasks"))].map(({ name }) => name);

Deno.test("Mike pings hosts with the key that he chose: who answers, and why others do not", async () => {
  await using world = await newWorld();
  const sshd = await sharedSshd();
  const private_key = await sshd.newKey("a passphrase");
  const ssh = { login: sshd.login, private_key, passphrase: "a passphrase" };
  const ssh_key_id = await make(world, "keys", { name: "Hosts", type: "ssh", ssh });
  const inventory = [
    `far ansible_host=127.0.0.1 ansible_port=${sshd.port} ${PYTHON}`,
    "closed ansible_host=127.0.0.1 ansible_port=1",
    "odd ansible_connection=local ansible_python_interpreter=/nowhere/python",
  ].join("\n");
  const shown = await pinged(world, { ssh_key_id: `${ssh_key_id}`, inventory });
  assert.match(shown, /Hosts that responded: 1 of 3/);
  assert.match(shown, /Show the hosts that responded far/);
  assert.match(shown, /closed cannot be reached [^]*Connection refused/);
  assert.match(shown, /odd was reached, but the ping failed [^]*\/nowhere\/python/);
  const refused = await pinged(world, { inventory });
  assert.match(refused, /Hosts that responded: 0 of 3/);
  const { body } = await world.api("mike", "GET", `/api/project/${world.web.id}/events`);
  assert.match(body[0].description, /The hosts of inventory "\?" were pinged/);
  assert.deepEqual(leftovers(world), []);
});

Deno.test("hosts of a repository's inventory are pinged; an empty or unreadable one is reported", async () => {
  await using world = await newWorld();
  const git = await newGitRepository(join(world.folder, "repository"));
  await git.commit(
    { "prod/hosts": `[web]\nweb[1:2] ansible_connection=local ${PYTHON}\n` },
    "Hosts",
  );
  const repository_id = await make(world, "repositories", {
    name: "Inventories",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const file = { type: "file", path: "prod", repository_id: `${repository_id}` };
  assert.match(await pinged(world, file), /Hosts that responded: 2 of 2/);
  assert.match(await pinged(world, { inventory: "" }), /has no hosts|no hosts/i);
  assert.match(await pinged(world, { ...file, repository_id: "" }), /choose a repository here/);
});

Deno.test("people who may not change inventories may not test their hosts", async () => {
  await using world = await newWorld();
  const typed = { type: "static", inventory: "localhost", test: "ping" };
  const page = `/project/${world.web.id}/inventory/new`;
  assert.equal((await world.post("bob", page, typed)).status, 403);
});
