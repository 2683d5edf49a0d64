import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  isolatedProject,
  ISOLATION_MODES,
  type IsolationCase,
  makeOpenFolder,
} from "@/tests/support/programs/isolation_modes.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { findProcesses, watchProcesses } from "@/tests/support/basics/processes.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { sharedSshd, type Sshd } from "@/tests/support/programs/sshd.ts";
import { textsIn } from "@/tests/support/basics/texts_in.ts";

const MARKER = "the kumquat of 7431 is ripe";
const SECRETS = {
  passphrase: "opens the ssh key: 5f2a",
  vault: "opens the vault: 77c1",
  become: "sudo with this: 90ab",
  answer: "only the survey knows: 3be8",
  variable: 'extra var\'s "secret" / 4d0c',
  environment: "secret of the process = 12ef",
};

const PLAYBOOK = `- hosts: web
  gather_subset: [min]
  tasks:
    - name: A host behind ssh is reached
      debug:
        msg: "{{ inventory_hostname }} runs {{ ansible_facts.system }}"

- hosts: localhost
  gather_facts: false
  vars_files: [vault.yml]
  tasks:
    - name: What is not secret arrives
      debug:
        msg: "{{ marker }}; release {{ release }}"
    - name: What is secret arrives, and is masked wherever it is printed
      debug:
        msg:
          - "answer {{ answer | hash('sha256') }} {{ answer }}"
          - "variable {{ variable | hash('sha256') }} {{ variable | b64encode }} {{ variable }}"
          - "environment {{ lookup('env', 'PROCESS_SECRET') | hash('sha256') }}"
    - name: Modules see the process's variables
      command: env
      register: process
    - debug:
        msg: "{{ process.stdout_lines | select('match', 'PROCESS_SECRET') }}"
    - name: A play may write a secret, and show what it changes
      lineinfile:
        line: "{{ answer }}"
        path: "{{ lookup('env', 'SCRATCH') }}"
        create: true
        mode: "0600"
`;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function runFromBehindSsh(isolation: IsolationCase) {
  await using project = await isolatedProject(isolation);
  const sshd = await sharedSshd();
  const privateKey = await sshd.newKey(SECRETS.passphrase);
  const secrets = [...Object.values(SECRETS), privateKey];
  const git = await newGitRepository(join(project.home, "repository"));
  const hash = await git.commit(
    { "site.yml": PLAYBOOK, "vault.yml": await encryptedVars() },
    "Ripen the kumquat\n\nIt was time.",
  );
  const scratch = join(await makeOpenFolder(join(project.home, "open")), "scratch");
  const template = await makeTemplate(project, git.path, sshd, privateKey, scratch);
  using watch = watchProcesses();
  const { task, log } = await project.run(template, {
    environment: JSON.stringify({ release: "v7" }),
    secret: JSON.stringify({ answer: SECRETS.answer }),
    diff: true,
  });
  assert.equal(task.status, "success", log);
  assert.equal(task.commit_hash, hash);
  assert.equal(task.commit_message, "Ripen the kumquat");
  requireOutput(log);

  const commands = [...watch.commands].join("\n");
  for (const program of ["ansible-playbook", "git fetch", "ssh-add", "git-upload-pack"]) {
    assert.ok(commands.includes(program), `${program} was seen`);
  }
  requireNone(secrets, "command lines", commands);
  // Ansible's own ssh has the play's environment, but passes none of it to the host.
  const before = [...watch.environments].filter((text) => !text.includes("ANSIBLE_"));
  assert.ok(before.length > 2);
  requireNone(secrets, "environments of git and ssh", before.join("\n"));
  await readEverything(project, task.id);
  requireNone(secrets, "answers of the API", project.answers.join("\n"));
  await requireNothingLeft(project);
  await project.restart("SIGTERM", async () => {
    await requireNoneInFiles(secrets, project.dataDir);
    await requireNoneInRows(secrets, project.dataDir);
    // Checks that the search finds a text that is there. In files, output is compressed.
    await assert.rejects(requireNoneInFiles(["ansible_host=127.0.0.1"], project.dataDir));
    await assert.rejects(requireNoneInRows([MARKER], project.dataDir));
  });
  requireNone(secrets, "the server's own log", project.printed());
}

for (const isolation of ISOLATION_MODES) {
  Deno.test({
    name:
      `a playbook from behind ssh runs with all its secrets, and reveals none: ${isolation.name}`,
    ignore: isolation.ignore,
    fn: () => runFromBehindSsh(isolation),
  });
}

Deno.test("a key pair created by Callboard opens a repository and hosts, once it is authorized", async () => {
  await using project = await addRealProject();
  const sshd = await sharedSshd();
  const { make, makeTemplate, get, run } = project;
  const { login, port } = sshd;
  const key = await make("keys", {
    name: "Made here",
    type: "ssh",
    ssh: { login },
    generate: true,
  });
  const git = await newGitRepository(join(project.home, "repository"));
  await git.commit({
    "site.yml": "- hosts: web\n  gather_subset: [min]\n  tasks:\n    - ping:\n",
  }, "Ping");
  const template = await makeTemplate({
    repository_id: await make("repositories", {
      name: "Playbooks",
      git_url: `ssh://127.0.0.1:${port}${git.path}`,
      git_branch: "main",
      ssh_key_id: key,
    }),
    inventory_id: await make("inventory", {
      name: "Hosts",
      type: "static",
      inventory: `web ansible_host=127.0.0.1 ansible_port=${port} ` +
        'ansible_python_interpreter="{{ ansible_playbook_python }}"\n',
      ssh_key_id: key,
    }),
  });
  const refused = await run(template);
  assert.match(refused.task.end_reason, /refused the repository's key/);
  const { public_key } = await get(`keys/${key}`);
  assert.match(public_key, /^ssh-ed25519 AAAA\S+ Real\/Made-here$/);
  await sshd.authorize(public_key);
  const { task, log } = await run(template);
  assert.equal(task.status, "success", log);
  assert.match(log, /ok=2 .*unreachable=0/);
  await requireNothingLeft(project);
});

/** Requests everything about the task and the objects that it was made of. */
async function readEverything({ get }: RealProject, task: number) {
  const lists = ["keys", "repositories", "inventory", "environment", "templates", "tasks"];
  for (const path of [...lists, "tasks/last", "events", "backup", `tasks/${task}/output`]) {
    await get(path);
  }
}

let encrypted: Promise<string> | null = null;
/** Returns encrypted variables. They are encrypted once, because Ansible starts slowly. */
const encryptedVars = () => encrypted ??= encryptVars();

async function encryptVars(): Promise<string> {
  const cwd = await Deno.makeTempDir({ prefix: "vault_" });
  try {
    await Deno.writeTextFile(join(cwd, "vault_password"), SECRETS.vault);
    await Deno.writeTextFile(join(cwd, "vars.yml"), `marker: ${MARKER}\n`);
    const { success, stdout, stderr } = await new Deno.Command("ansible-vault", {
      args: ["encrypt", "--vault-id=prod@vault_password", "--output=-", "vars.yml"],
      cwd,
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

async function makeTemplate(
  { make, makeTemplate }: RealProject,
  path: string,
  { port, login }: Sshd,
  private_key: string,
  scratch: string,
): Promise<number> {
  const ssh = { login, passphrase: SECRETS.passphrase, private_key };
  const key = await make("keys", { name: "Deploy", type: "ssh", ssh });
  const password = (name: string, password: string) =>
    make("keys", { name, type: "login_password", login_password: { login: "root", password } });
  return await makeTemplate({
    repository_id: await make("repositories", {
      name: "Playbooks",
      git_url: `ssh://${login}@127.0.0.1:${port}${path}`,
      git_branch: "main",
      ssh_key_id: key,
    }),
    inventory_id: await make("inventory", {
      name: "Hosts",
      type: "static",
      inventory: `localhost ansible_connection=local
web ansible_host=127.0.0.1 ansible_port=${port}
[all:vars]
ansible_python_interpreter="{{ ansible_playbook_python }}"
`,
      ssh_key_id: key,
      become_key_id: await password("Become", SECRETS.become),
    }),
    environment_id: await make("environment", {
      name: "Settings",
      json: "{}",
      env: JSON.stringify({ SCRATCH: scratch }),
      secrets: [
        { type: "var", name: "variable", secret: SECRETS.variable, operation: "create" },
        { type: "env", name: "PROCESS_SECRET", secret: SECRETS.environment, operation: "create" },
      ],
    }),
    vaults: [{ vault_key_id: await password("Vault", SECRETS.vault), name: "prod" }],
    survey_vars: [
      { name: "release", title: "Release", required: true },
      { name: "answer", title: "Response", type: "secret", required: true },
    ],
  });
}

function requireOutput(log: string) {
  assert.ok(log.includes(`${MARKER}; release v7`), log);
  for (const name of ["answer", "variable", "environment"] as const) {
    assert.ok(log.includes(`${name} ${sha256(SECRETS[name])}`), `${name} arrived:\n${log}`);
  }
  const plain = stripVTControlCharacters(log);
  assert.match(plain, /"msg": "web runs Linux"/);
  assert.match(plain, /PROCESS_SECRET=\*\*\*/);
  assert.match(plain, /^\+\*\*\*$/m, "the difference is masked");
  assert.match(plain, /^localhost .*ok=5 .*failed=0/m);
  assert.match(plain, /^web .*ok=2 .*unreachable=0/m);
}

/** Returns the secret itself, its forms in JSON and base64, and each line of a key. */
function formsOf(secret: string): string[] {
  const lines = secret.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
  return [...lines, JSON.stringify(secret).slice(1, -1), btoa(secret)];
}

function requireNone(secrets: string[], where: string, text: string) {
  for (const form of secrets.flatMap(formsOf)) {
    const at = text.indexOf(form);
    assert.equal(at, -1, `${where}: ${text.slice(Math.max(0, at - 200), at + 200)}`);
  }
}

async function requireNothingLeft({ dataDir, server }: RealProject) {
  assert.deepEqual(findProcesses(dataDir, [server.pid]), []);
  const left = await Array.fromAsync(Deno.readDir(join(dataDir, "tasks")));
  assert.deepEqual(left, []);
}

/** Searches all bytes, including those that the database has freed but not overwritten. */
async function requireNoneInFiles(secrets: string[], directory: string) {
  for await (const entry of Deno.readDir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory) await requireNoneInFiles(secrets, path);
    if (!entry.isFile) continue;
    const text = new TextDecoder("latin1").decode(await Deno.readFile(path));
    requireNone(secrets, path, text);
  }
}

async function requireNoneInRows(secrets: string[], dataDir: string) {
  using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  let count = 0;
  for await (const { key, value } of kv.list({ prefix: [] })) {
    requireNone(secrets, key.join(" "), textsIn(value));
    count++;
  }
  assert.ok(count > 50, `${count} rows`);
}
