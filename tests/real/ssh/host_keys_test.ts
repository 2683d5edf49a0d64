import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { join } from "node:path";
import type { HostKey } from "@/lib/execution/ansible/plan.ts";
import { conceal } from "@/lib/base/secret.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { isolatedProject, ISOLATION_MODES } from "@/tests/support/programs/isolation_modes.ts";
import { findRealAnsible } from "@/tests/support/programs/real_ansible.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { newRunBench, proveOnBoth } from "@/tests/support/server/run_bench.ts";
import { type SshHosts, startSshHosts } from "@/tests/support/programs/ssh_hosts.ts";

const PASSPHRASE = "opens each of them";
const PYTHON = 'ansible_python_interpreter="{{ ansible_playbook_python }}"';

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - raw: echo reached
    # Sent with sftp.
    - ping:
      when: inventory_hostname == 'host4'
    - add_host:
        name: late
        groups: later
        ansible_host: 127.0.0.1
        ansible_port: "{{ hostvars['host1'].ansible_port }}"
      run_once: true
    - raw: echo delegated
      delegate_to: host5
      when: inventory_hostname == 'host2'
    - ping:
      delegate_to: localhost
      run_once: true

- hosts: later
  gather_facts: false
  tasks:
    - raw: echo late
`;

const name = (n: number) => `host${n + 1}`;

/** Creates the keys of the hosts in a project, and returns their ids. */
const makeKeys = ({ make }: RealProject, { privateKeys, login }: SshHosts, fields = {}) =>
  Promise.all(privateKeys.map((private_key, n) =>
    make("keys", {
      name: `Key ${n + 1}`,
      type: "ssh",
      ssh: { login, private_key, passphrase: PASSPHRASE },
      ...fields,
    })
  ));

async function makeTemplate(
  project: RealProject,
  play: string,
  inventory: Record<string, unknown>,
  fields: Record<string, unknown> = {},
  files: Record<string, string> = {},
): Promise<number> {
  const { make, makeTemplate, noKey, home } = project;
  const git = await newGitRepository(join(home, crypto.randomUUID()));
  await git.commit({ "site.yml": play, ...files }, "Play");
  return await makeTemplate({
    name: crypto.randomUUID(),
    repository_id: await make("repositories", {
      name: "Play",
      git_url: git.url,
      git_branch: "main",
      ssh_key_id: noKey,
    }),
    inventory_id: await make("inventory", { name: "Hosts", type: "static", ...inventory }),
    arguments: '["--forks=12"]',
    ...fields,
  });
}

const hostLines = ({ ports }: SshHosts) =>
  ports.map((port, n) => `${name(n)} ansible_host=127.0.0.1 ansible_port=${port}`);

for (const isolation of ISOLATION_MODES) {
  // Isolation can keep a play from its keys. It cannot mix them up, however many there are.
  const count = isolation.mode === "none" ? 12 : 5;
  Deno.test({
    name:
      `${count} hosts with ${count} keys in one run: each is offered only its own: ${isolation.name}`,
    ignore: isolation.ignore,
    async fn() {
      await using project = await isolatedProject(isolation);
      const hosts = await startSshHosts(join(project.home, "hosts"), count, PASSPHRASE);
      try {
        const ids = await makeKeys(project, hosts);
        // The first two keys are for groups, the others for names.
        const groups = [["first", "later"], ["seco*"]];
        const patterns = ids.map((id, n) => [id, groups[n] ?? [name(n)]]);
        const half = Math.ceil(count / 2);
        const inventory = [
          ...hostLines(hosts),
          `[first]\n${name(0)}\n[second]\n${name(1)}\n[all:vars]\n${PYTHON}`,
        ].join("\n");
        const template = await makeTemplate(
          project,
          PLAY,
          {
            inventory,
            ssh_key_ids: ids.slice(half),
            ssh_key_hosts: Object.fromEntries(patterns.slice(half)),
          },
          {
            ssh_key_ids: ids.slice(0, half),
            ssh_key_hosts: Object.fromEntries(patterns.slice(0, half)),
          },
          { "ansible.cfg": "[defaults]\nvars_plugins_enabled = ansible.builtin.host_group_vars\n" },
        );
        const { task, log } = await project.run(template);
        assert.equal(task.status, "success", log);
        assert.deepEqual(await hosts.offered(), ids.map((_, n) => [n]));
      } finally {
        await hosts.stop();
      }
    },
  });
}

Deno.test("without rules, keys are offered in order, and a server refuses the seventh", async () => {
  await using project = await addRealProject();
  const hosts = await startSshHosts(join(project.home, "hosts"), 8, PASSPHRASE);
  try {
    const ids = await makeKeys(project, hosts);
    const template = await makeTemplate(
      project,
      "- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: echo reached\n",
      { inventory: hostLines(hosts).join("\n"), ssh_key_ids: ids },
    );
    const { task, log } = await project.run(template);
    assert.equal(task.status, "error");
    const plain = stripVTControlCharacters(log);
    assert.match(plain, /host6 .*unreachable=0/);
    assert.match(plain, /host7 .*unreachable=1/);
    const offered = await hosts.offered();
    assert.deepEqual(offered[0], [0]);
    assert.deepEqual(offered[2], [0, 1, 2]);
  } finally {
    await hosts.stop();
  }
});

Deno.test("hosts behind a jump host: everyone is offered only the own key", async () => {
  await using project = await addRealProject();
  const hosts = await startSshHosts(join(project.home, "hosts"), 3, PASSPHRASE);
  try {
    const { ports: [gate, , last], login } = hosts;
    const { make, server, id } = project;
    const newKey = (n: number, ssh_options?: unknown, user = login) =>
      make("keys", {
        name: `Key ${n + 1}`,
        type: "ssh",
        ssh: { login: user, private_key: hosts.privateKeys[n], passphrase: PASSPHRASE },
        ssh_options,
      });
    const gateKey = await newKey(0);
    const jump = { host: "127.0.0.1", port: gate, user: login, key_id: gateKey };
    const behind = await newKey(1, { jump });
    const direct = await newKey(2, { user: login, port: last }, "nobody-of-this-name");
    const [, second] = hostLines(hosts);
    const template = await makeTemplate(
      project,
      "- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: echo reached\n    - ping:\n",
      {
        inventory: `${second} ${PYTHON}\nhost3 ansible_host=127.0.0.1 ${PYTHON}\n`,
        ssh_key_ids: [behind, direct],
        ssh_key_hosts: { [behind]: ["host2"], [direct]: ["host3"] },
      },
    );
    const { task, log } = await project.run(template);
    assert.equal(task.status, "success", log);
    assert.deepEqual(await hosts.offered(), [[0], [1], [2]]);
    const { body: pinned } = await server.api("GET", `/api/project/${id}/known_hosts`);
    assert.ok(JSON.stringify(pinned).includes(`[127.0.0.1]:${gate}`), JSON.stringify(pinned));
    const refused = await server.api("DELETE", `/api/project/${id}/keys/${gateKey}`);
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.body.keys, [{ id: behind, name: "Key 2" }]);
  } finally {
    await hosts.stop();
  }
});

proveOnBoth("keys, rules and jump hosts of a plan are the same everywhere", async (on) => {
  await using bench = await newRunBench(on);
  bench.environment.ansible = await findRealAnsible();
  const hosts = await startSshHosts(join(bench.directory, "hosts"), 3);
  try {
    const keyOf = (n: number): HostKey => ({
      name: `Key ${n + 1}`,
      key: {
        type: "ssh",
        login: hosts.login,
        passphrase: conceal(""),
        privateKey: conceal(hosts.privateKeys[n]),
      },
    });
    const jump = { host: "127.0.0.1", port: hosts.ports[0], user: hosts.login, key: keyOf(0) };
    const plan = bench.plan();
    plan.inventory = {
      ...plan.inventory,
      content: hostLines(hosts).slice(1).join("\n"),
      userKey: keyOf(1).key,
      sshKeys: [
        { ...keyOf(1), hosts: ["host2"], options: { jump } },
        { ...keyOf(2), hosts: ["host3"] },
      ],
    };
    await bench.repository.commit({
      "site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: echo reached\n",
    }, "Play");
    const ran = await bench.run(plan);
    assert.equal(ran.end, "success", ran.log);
    assert.deepEqual(await hosts.offered(), [[0], [1], [2]]);
  } finally {
    await hosts.stop();
  }
});
