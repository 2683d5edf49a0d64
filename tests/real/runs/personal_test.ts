import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { findProcesses, watchProcesses } from "@/tests/support/basics/processes.ts";
import {
  addRealProject,
  type RealProject,
  type RealProjectOptions,
} from "@/tests/support/programs/real_project.ts";
import { startRunnerOf } from "@/tests/support/server/real_runner.ts";
import { SECRETS } from "@/tests/support/basics/secret_corpus.ts";
import { sharedSshd, type Sshd, startSshd } from "@/tests/support/programs/sshd.ts";
import { textsIn } from "@/tests/support/basics/texts_in.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Passwords as people choose them. `su` and `sshd` take any character but a line break. */
const PASSWORDS = {
  ssh_password: SECRETS[0],
  become_password: SECRETS[1],
  vault_password: `${SECRETS[1]} of the vault`,
};
const VAULTED = "only the vault knows: 9c1d";

const PLAY = `- hosts: web
  gather_facts: false
  vars_files: [vault.yml]
  tasks:
    - name: Sign in
      raw: echo "I am $(whoami) and the vault has {{ vaulted | hash('sha256') }}"
      register: first
    - name: Become
      raw: echo "I became $(whoami)"
      register: second
      become: true
      become_method: su
      become_user: "{{ other }}"
    - debug:
        msg: "{{ first.stdout }} {{ second.stdout }}"
    - name: Wait
      raw: "sleep {{ seconds }}"
`;

const PERSONAL_PLAY = `- hosts: web
  gather_facts: false
  tasks:
    - name: Sign in
      raw: echo "I am $(whoami)"
      register: first
    - debug:
        msg: "{{ first.stdout }}"
`;

async function command(program: string, args: string[], cwd?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  assert.ok(success, `${program}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

/** An account of this machine that is removed afterwards. */
async function newAccount(password: string) {
  const name = `cb${crypto.randomUUID().slice(0, 8)}`;
  const hash = await command("openssl", ["passwd", "-6", password]);
  await command("useradd", ["-m", "-s", "/bin/sh", "-p", hash, name]);
  return {
    name,
    [Symbol.asyncDispose]: async () =>
      void await command("userdel", ["-r", "-f", name]).catch(() => {}),
  };
}

/** The tests share the server. Runners find it again after a restart. */
const SERVER: RealProjectOptions = {
  env: {
    CALLBOARD_OWN_KEYS_ON_RUNNERS: "true",
    CALLBOARD_DRAIN_SECONDS: "0",
    CALLBOARD_PORT: String(freePort()),
  },
};

const inventoryOf = ({ port }: Sshd, more = "") =>
  `web ansible_host=127.0.0.1 ansible_port=${port} ${more}\n`;

async function newPersonalStage(project: RealProject, sshd: Sshd, files: Record<string, string>) {
  const git = await newGitRepository(join(project.home, crypto.randomUUID()));
  await git.commit(files, "Play");
  const repository_id = await project.make("repositories", {
    name: "Play",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  return { repository_id, port: sshd.port };
}

function requireNone(text: string, where: string, secrets = Object.values(PASSWORDS)) {
  for (const secret of secrets) {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), btoa(encodeURI(secret))]) {
      assert.ok(!text.includes(form), `${where} has a password`);
    }
  }
}

/** Fails if a folder of a run, a process or a sealed row of a task is left. */
async function requireNothingLeft(project: RealProject) {
  const { dataDir, server } = project;
  await until(() => findProcesses(dataDir, [server.pid]).length === 0, 30_000);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(join(dataDir, "tasks"))), []);
  await project.restart("SIGTERM", async () => {
    using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
    for (const prefix of [["task_passwords"], ["task_pins"], ["task_secrets"]]) {
      assert.deepEqual(await Array.fromAsync(kv.list({ prefix })), []);
    }
    for await (const { key, value } of kv.list({ prefix: [] })) {
      requireNone(textsIn(value), key.join(" "));
    }
  });
}

for (const where of ["server", "runner"] as const) {
  Deno.test(`a person's own key opens a host, and no one else's task: on a ${where}`, async () => {
    await using project = await addRealProject(SERVER);
    const sshd = await sharedSshd();
    await using runner = where === "runner" ? await startRunnerOf(project, "dmz") : null;
    const { server, make, makeTemplate } = project;
    const made = await server.api("POST", "/api/user/keys", { name: "Mine", generate: true });
    assert.equal(made.status, 201);
    const files = { "site.yml": PERSONAL_PLAY };
    const { repository_id } = await newPersonalStage(project, sshd, files);
    const template = await makeTemplate({
      repository_id,
      inventory_id: await make("inventory", {
        name: "Hosts",
        type: "static",
        inventory: inventoryOf(sshd, `ansible_user=${sshd.login}`),
        own_key: true,
      }),
      runner_tag: runner ? "dmz" : "",
    });
    const own = { own_key_id: made.body.id };
    const before = await project.run(template, own);
    assert.match(before.log, /Permission denied/);
    await sshd.authorize(made.body.public_key);
    const { task, log } = await project.run(template, own);
    assert.equal(task.status, "success", log);
    assert.ok(log.includes(`I am ${sshd.login}`));
    assert.equal(task.own_key, true);
    await server.api("DELETE", `/api/user/keys/${made.body.id}`);
    const without = await server.api("POST", `/api/project/${project.id}/tasks`, {
      template_id: template,
      ...own,
    });
    assert.equal(without.status, 400);
  });

  Deno.test({
    name: `asked passwords sign in, become and open the vault: on a ${where}`,
    // Only root can make the accounts.
    ignore: Deno.uid() !== 0,
    async fn() {
      await using person = await newAccount(PASSWORDS.ssh_password);
      await using other = await newAccount(PASSWORDS.become_password);
      await using project = await addRealProject(SERVER);
      const sshd = await startSshd(project.home, ["PasswordAuthentication yes"]);
      await using runner = where === "runner" ? await startRunnerOf(project, "dmz") : null;
      try {
        const { home, make, makeTemplate } = project;
        await Deno.writeTextFile(join(home, "vault_password"), PASSWORDS.vault_password);
        await Deno.writeTextFile(join(home, "vars.yml"), `vaulted: "${VAULTED}"\n`);
        const words = ["encrypt", "--vault-password-file=vault_password", "--output=-", "vars.yml"];
        const vault = await command("ansible-vault", words, home);
        const files = { "site.yml": PLAY, "vault.yml": `${vault}\n` };
        const { repository_id } = await newPersonalStage(project, sshd, files);
        const inventory_id = await make("inventory", {
          name: "Hosts",
          type: "static",
          inventory: inventoryOf(sshd, `ansible_user=${person.name}`),
          ssh_key_id: project.noKey,
        });
        const templateOf = (seconds: number) =>
          makeTemplate({
            name: `Waits ${seconds}`,
            repository_id,
            inventory_id,
            ...{ ask_ssh_password: true, ask_become_password: true, ask_vault_password: true },
            arguments: JSON.stringify(["-e", `other=${other.name} seconds=${seconds}`]),
            runner_tag: runner ? "dmz" : "",
          });
        using watch = watchProcesses();
        const { task, log } = await project.run(await templateOf(0), PASSWORDS);
        assert.equal(task.status, "success", log);
        assert.ok(log.includes(`I am ${person.name} and the vault has`), log);
        assert.ok(log.includes(`I became ${other.name}`), log);
        requireNone(log, "the output");
        requireNone([...watch.commands].join("\n"), "an argument");
        requireNone(project.answers.join("\n"), "an answer");
        const wrong = { ...PASSWORDS, ssh_password: "not that one" };
        const refused = await project.run(await templateOf(1), wrong);
        assert.equal(refused.task.status, "error");

        if (runner) return;
        const waiting = await project.startTask(await templateOf(60), PASSWORDS);
        await until(async () => (await project.log(waiting)).includes("TASK [Wait]"), 120_000);
        await project.restart("SIGKILL");
        const killed = await project.ended(waiting);
        assert.equal(killed.task.status, "error");
        await requireNothingLeft(project);
        requireNone(project.printed(), "the server's log");
      } finally {
        await sshd.stop();
      }
    },
  });
}
