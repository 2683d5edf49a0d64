import assert from "node:assert/strict";
import { join } from "node:path";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { sharedSshd, type Sshd } from "@/tests/support/programs/sshd.ts";

interface Case {
  /** The checkout's `ansible.cfg`. */
  cfg?: string;
  /** Another configuration in the checkout, for ANSIBLE_CONFIG. */
  other?: string;
  env?: Record<string, string>;
  /** Variables of the host. */
  host?: string;
}

const CHECKED = "[defaults]\nhost_key_checking = True\n";
const PINNED: Record<string, Case> = {
  "nothing is set": {},
  "Ansible's default, written out": { cfg: CHECKED },
  "another configuration": {
    cfg: "[defaults]\nhost_key_checking = False\n",
    other: `${CHECKED}[ssh_connection]\nssh_common_args = -o ServerAliveInterval=9\n`,
  },
  "arguments about something else": {
    cfg:
      "[ssh_connection]\nssh_args = -o ControlPersist=no\nssh_common_args = -o TCPKeepAlive=no\n",
    env: { ANSIBLE_SSH_EXTRA_ARGS: "-o ForwardAgent=no" },
  },
  "arguments of the host": { host: "ansible_ssh_common_args='-o ServerAliveInterval=9'" },
};
const UNCHECKED: Record<string, Case> = {
  "a setting": { cfg: "[ssh_connection]\nhost_key_checking: off ; it is a test\n" },
  "a variable": { cfg: CHECKED, env: { ANSIBLE_HOST_KEY_CHECKING: "False" } },
  "arguments": {
    cfg: "[ssh_connection]\n" +
      "ssh_common_args = -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null\n",
  },
  "arguments of a single program": {
    host: "ansible_ssh_extra_args='-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null'",
  },
};

async function addTemplate(project: RealProject, sshd: Sshd, key: number, name: string, on: Case) {
  const { home, make, makeTemplate, noKey } = project;
  const folder = join(home, crypto.randomUUID());
  await Deno.mkdir(folder);
  const files = {
    "site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: echo reached\n",
    ...on.cfg && { "ansible.cfg": on.cfg },
    ...on.other && { "other.cfg": on.other },
  };
  for (const [file, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, file), text);
  }
  const env = { ...on.env, ...on.other && { ANSIBLE_CONFIG: "other.cfg" } };
  return await makeTemplate({
    name,
    repository_id: await make("repositories", { name, git_url: folder, ssh_key_id: noKey }),
    environment_id: await make("environment", { name, json: "{}", env: JSON.stringify(env) }),
    inventory_id: await make("inventory", {
      name,
      type: "static",
      inventory: `web ansible_host=127.0.0.1 ansible_port=${sshd.port} ${on.host ?? ""}\n`,
      ssh_key_id: key,
    }),
  });
}

Deno.test("only False, or arguments that say so, keep hosts' keys from being pinned", async () => {
  await using project = await addRealProject();
  const { run, make, get } = project;
  const sshd = await sharedSshd();
  const ssh = { login: sshd.login, private_key: await sshd.newKey("") };
  const key = await make("keys", { name: "Hosts", type: "ssh", ssh });
  const addAll = (cases: Record<string, Case>) =>
    Promise.all(
      Object.entries(cases).map(([name, on]) => addTemplate(project, sshd, key, name, on)),
    );
  const pinned = await addAll(PINNED);
  for (const { task, log } of await Promise.all(pinned.map((id) => run(id)))) {
    assert.equal(task.status, "success", log);
  }
  const host = `[127.0.0.1]:${sshd.port}`;
  assert.deepEqual((await get("known_hosts")).map((one: { host: string }) => one.host), [host]);

  await sshd.changeHostKey();
  const again = pinned.slice(2);
  for (const { task, log } of await Promise.all(again.map((id) => run(id)))) {
    assert.equal(task.status, "error", log);
    assert.match(
      task.end_reason,
      /^The host key of \[127\.0\.0\.1\]:\d+ has changed.* Known hosts\.$/,
    );
  }
  const unchecked = await addAll(UNCHECKED);
  for (const { task, log } of await Promise.all(unchecked.map((id) => run(id)))) {
    assert.equal(task.status, "success", log);
  }
});
