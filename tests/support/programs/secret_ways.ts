import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { newPrivateKey } from "@/lib/resources/keys/key_pair.ts";
import {
  AWS_ID,
  AWS_SECRET,
  CLIENT_SECRET,
  type Clouds,
  CONNECT_TOKEN,
  ISSUED_TOKEN,
  newClouds,
} from "@/tests/support/services/clouds.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { findRealAnsible } from "./real_ansible.ts";
import { newSshAuthority } from "@/tests/support/services/ssh_authority.ts";
import { type SshHosts, startSshHosts } from "./ssh_hosts.ts";
import {
  newVault,
  ROLE_ID,
  ROOT_TOKEN,
  SECRET_ID,
  type VaultStandIn,
} from "@/tests/support/services/vault.ts";
import type { ApiAnswer } from "@/tests/support/world/world.ts";

/** A text that is no secret. It is in every place where secrets are looked for. */
export const CANARY = "canary-4711";

/** Services and files outside of the server, from which secrets come. */
export interface SecretSources extends AsyncDisposable {
  folder: string;
  vault: VaultStandIn;
  clouds: Clouds;
  hosts: SshHosts;
  /** Public halves of the hosts' keys. */
  publicKeys: string[];
  /** Settings of whatever runs the tasks. */
  settings: Record<string, string>;
  /** Texts of all secrets so far, by the way on which they arrive. */
  secrets: Map<string, string>;
  /** Ways whose secret a play can read. */
  readable: Set<string>;
  /** Returns a new secret that every encoding writes differently. */
  add(way: string): string;
  /** Adds the identities that runs have kept, and the tokens that storages have issued. */
  addIssued(): Promise<void>;
}

const PASSPHRASE = `opens "$HOME" & four keys`;

export async function newSecretSources(): Promise<SecretSources> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "secret_sources_" });
  cleanup.defer(() => Deno.remove(folder, { recursive: true }));
  const vault = cleanup.use(await newVault());
  const clouds = cleanup.use(await newClouds());
  const hosts = await startSshHosts(join(folder, "hosts"), 4, PASSPHRASE);
  cleanup.defer(() => hosts.stop());
  const secrets = new Map<string, string>();
  const readable = new Set<string>();
  const add = (way: string) => {
    const text = `${way}: it's "${crypto.randomUUID().slice(0, 8)}" & $HOME/\\x+y~z!`;
    secrets.set(way, text);
    readable.add(way);
    return text;
  };
  secrets.set("passphrase", PASSPHRASE);
  for (const [n, key] of hosts.privateKeys.entries()) {
    secrets.set(`private key ${n + 1}`, key.split("\n")[3]);
  }

  const authority = await newSshAuthority(folder);
  vault.signs = (publicKey, login) =>
    authority.sign(publicKey, "-I", "engine", "-n", login, "-V", "-1m:+5m");
  vault.secrets.set("team/web", { login: "root", password: add("Vault KV"), other: add("field") });
  vault.secrets.set("team/jwt", { value: add("Vault with an identity") });
  const identities: string[] = [];
  vault.acceptsJwt = (jwt) => identities.push(jwt) > 0;
  secrets.set("Vault lease", "dynamic-swordfish").set("Vault token", ROOT_TOKEN);
  secrets.set("Vault secret id", SECRET_ID);
  readable.add("Vault lease");
  for (const kind of ["aws", "azure", "gcp", "bitwarden"]) clouds.secrets.set(kind, add(kind));
  clouds.secrets.set("app", add("onepassword"));
  const account = JSON.parse(clouds.serviceAccount);
  secrets.set("gcp credential", account.private_key.split("\n")[3]);
  secrets.set("aws credential", AWS_SECRET).set("azure credential", CLIENT_SECRET);
  secrets.set("bitwarden credential", clouds.machineToken);
  secrets.set("onepassword credential", CONNECT_TOKEN).set("token of a cloud", ISSUED_TOKEN);

  const files = join(folder, "files");
  await Deno.mkdir(files);
  await Deno.writeTextFile(join(files, "web"), add("file"));
  const program = join(folder, "program");
  await Deno.writeTextFile(join(folder, "printed"), add("command"));
  await Deno.writeTextFile(program, programOf(folder), { mode: 0o755 });
  const kept = join(folder, "kept");
  await Deno.mkdir(kept);
  const owned = cleanup.move();
  return {
    folder,
    vault,
    clouds,
    hosts,
    publicKeys: await Promise.all(
      hosts.ports.map((_, n) => Deno.readTextFile(join(folder, "hosts", `key_${n}.pub`))),
    ),
    settings: {
      CALLBOARD_SECRET_FILES: files,
      CALLBOARD_SECRET_COMMAND: program,
      CALLBOARD_SECRET_NETWORKS: "127.0.0.0/8",
      CALLBOARD_VALUE_WEB: add("variable of the server"),
    },
    secrets,
    readable,
    add,
    async addIssued() {
      for await (const { name } of Deno.readDir(kept)) {
        secrets.set(`identity ${name}`, await Deno.readTextFile(join(kept, name)));
      }
      identities.forEach((jwt, n) => secrets.set(`identity for Vault ${n}`, jwt));
      vault.issued.forEach((token, n) => secrets.set(`token of Vault ${n}`, token));
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** A program of an administrator, which signs keys and prints a secret. */
const programOf = (folder: string) =>
  `#!/bin/sh
[ "$1" = sign ] || exec cat ${folder}/printed
file=$(mktemp -d)/key
printf '%s\\n' "$CALLBOARD_PUBLIC_KEY" >$file.pub
ssh-keygen -q -s ${folder}/authority_*.key -I program -n "$CALLBOARD_LOGIN" -V -1m:+5m $file.pub
cat $file-cert.pub
rm -r "\${file%/*}"
`;

/** Prints all that a play can read, in several ways. */
const PLAY = `- hosts: far
  gather_facts: false
  tasks:
    - raw: echo "reached {{ inventory_hostname }}"
      register: reached
    - debug: { var: reached.stdout }

- hosts: localhost
  gather_facts: false
  vars:
    # A look at "vars" itself would template all variables, which takes a second.
    names: "{{ query('varnames', '^s_') }}"
    all: "{{ dict(names | zip(query('vars', *names))) }}"
  tasks:
    - name: Prove
      command: "{{ ansible_playbook_python }} prove.py"
      register: proof
    - name: Show
      debug:
        msg: ["{{ proof.stdout_lines }}", "{{ canary }}", "{{ all }}", "{{ all | to_json | b64encode }}"]
    - told_facts:
    - set_stats:
        data: { version: "{{ canary }} {{ s_var | default('') }}" }
    - name: Print
      raw: env; cd "$(dirname "$ANSIBLE_LOCAL_TEMP")" && for f in *; do [ ! -f "$f" ] || cat "$f"; done
      register: printed
    - debug: { var: printed }
    - name: Wait
      raw: sleep {{ seconds | default(0) }}
`;

/** Prints the digest of each text that the run has, which proves that it had the secrets. */
const PROVE = `import hashlib, json, os, pathlib
def texts(value):
    if isinstance(value, str): yield value
    elif isinstance(value, dict): yield from (text for one in value.values() for text in texts(one))
    elif isinstance(value, list): yield from (text for one in value for text in texts(one))
found = set(os.environ.values())
for path in pathlib.Path(os.environ["ANSIBLE_LOCAL_TEMP"]).parent.iterdir():
    if not path.is_file(): continue
    text = path.read_text(errors="replace")
    found.add(text.removesuffix("\\n"))
    if path.suffix == ".json": found.update(texts(json.loads(text)))
token = os.environ.get("CALLBOARD_ID_TOKEN")
if token: pathlib.Path(os.environ["KEPT"], hashlib.sha256(token.encode()).hexdigest()).write_text(token)
for text in found: print(hashlib.sha256(text.encode()).hexdigest())
`;

/** A module that gathers the variables of its process as facts of the host. */
const FACTS = `#!/usr/bin/python
# WANT_JSON
import json, os
print(json.dumps({"changed": False, "ansible_facts": {"told": "${CANARY}", "all": dict(os.environ)}}))
`;

/** Where the ways are created: a server, and an administrator of it who owns the project. */
interface Place {
  projectId: number;
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Labels of the runner; "" for the server itself. */
  labels: string;
}

/** A task that has secrets, and the status with which it ends. */
export interface SecretTask {
  template: number;
  input: Record<string, unknown>;
  end: "success" | "error";
}

/** A project in which secrets arrive on all ways. */
interface SecretWays {
  tasks: SecretTask[];
  /** A template without questions, of which a check can be started. */
  unattended: number;
  /** Ids of things by the names of parameters in paths. */
  ids: Record<string, number>;
}

/** Creates keys, storages and templates, so that each secret of the sources reaches a task. */
export async function addSecretWays(
  sources: SecretSources,
  { projectId, call, labels }: Place,
): Promise<SecretWays> {
  const { add, secrets, hosts, vault, clouds, publicKeys, folder } = sources;
  const at = `/api/project/${projectId}`;
  const make = async (noun: string, body: object, place = at): Promise<number> => {
    const made = await call("POST", `${place}/${noun}`, body);
    assert.equal(made.status, 201, `${noun}: ${JSON.stringify(made.body)}`);
    return made.body.id;
  };
  const password = (way: string) =>
    make("keys", {
      name: way,
      type: "login_password",
      login_password: { login: "root", password: add(way) },
    });
  const storage = (type: string, params: object, secret: string | null) =>
    make("secret_storages", { name: type, type, params, secret, allow_private: true });
  const inVault = { url: vault.url, ca_certificate: vault.ca };
  const approle = { ...inVault, auth_method: "approle", role_id: ROLE_ID };
  const byRole = await storage("vault", approle, SECRET_ID);
  const byToken = await storage("vault", inVault, ROOT_TOKEN);
  const byJwt = await storage("vault", { ...inVault, auth_method: "jwt", role: "deploy" }, null);
  const cloud = (service: string) => `${clouds.url}/${service}`;
  const places: [name: string, place: object][] = [
    ["s_kv", { storage_id: byRole, path: "team/web", field: "other" }],
    ["s_lease", { storage_id: byToken, path: "/database/creds/app", field: "password" }],
    ["s_jwt", { storage_id: byJwt, path: "team/jwt" }],
    ["s_file", { type: "file", path: "web" }],
    ["s_command", { type: "command", path: "web" }],
    ["S_ENV_VALUE", { type: "env", path: "CALLBOARD_VALUE_WEB" }],
  ];
  const credentials: [type: string, params: object, secret: string][] = [
    ["aws", {
      region: "eu-central-1",
      access_key_id: AWS_ID,
      endpoint: cloud("aws"),
    }, AWS_SECRET],
    ["azure", {
      vault_url: cloud("azure"),
      tenant_id: "tenant-1",
      client_id: "app-1",
      authority: cloud("entra"),
      scope: "https://vault.azure.net/.default",
    }, CLIENT_SECRET],
    ["gcp", { endpoint: cloud("google") }, clouds.serviceAccount],
    [
      "bitwarden",
      { api_url: cloud("bitwarden"), identity_url: cloud("bitwarden") },
      clouds.machineToken,
    ],
    ["onepassword", { url: cloud("onepassword") }, CONNECT_TOKEN],
  ];
  for (const [type, params, secret] of credentials) {
    const path = type === "onepassword" ? 'Team "A"/app/prod' : type;
    const field = type === "onepassword" ? { field: "password" } : {};
    const storage_id = await storage(type, params, secret);
    places.push([`s_${type}`, { storage_id, path, ...field }]);
  }
  const typeOf = (name: string) => name.startsWith("S_") ? "env" : "var";
  const stored = (name: string) => ({ name, secret: add(name), operation: "create" });
  const environment_id = await make("environment", {
    name: "Secrets",
    json: JSON.stringify({ canary: CANARY }),
    env: JSON.stringify({ KEPT: join(folder, "kept") }),
    secrets: [
      ...["s_var", "S_ENV"].map((name) => ({ ...stored(name), type: typeOf(name) })),
      ...places.map(([name, source]) => ({
        name,
        source,
        type: typeOf(name),
        operation: "create",
      })),
    ],
  });

  const authority = await newSshAuthority(folder);
  const sshKey = (n: number, more: object) =>
    make("keys", {
      name: `Key ${n + 1}`,
      type: "ssh",
      ssh: { login: hosts.login, private_key: hosts.privateKeys[n], passphrase: PASSPHRASE },
      ...more,
    });
  const gate = await sshKey(0, {});
  const jump = { host: "127.0.0.1", port: hosts.ports[0], user: hosts.login, key_id: gate };
  const signed = { storage_id: byToken, path: "/ssh/sign/deploy" };
  const certificate = await authority.sign(publicKeys[1], "-I", "a", "-n", hosts.login);
  const sshKeys = [
    await sshKey(1, { certificate, ssh_options: { jump } }),
    await sshKey(2, { certificate_source: signed }),
    await sshKey(3, { certificate_source: { type: "command", path: "sign" } }),
  ];
  const own = newPrivateKey("Laptop");
  secrets.set("own key", own.split("\n")[3]);
  const ssh = { login: "me", private_key: own, passphrase: "" };
  const ownKey = await make("keys", { name: "Laptop", ssh }, "/api/user");

  const git = await newGitRepository(join(folder, `repository-${projectId}-${labels}`));
  await git.commit({
    "site.yml": PLAY,
    "prove.py": PROVE,
    "library/told_facts.py": FACTS,
  }, "Play");
  const noKey = await make("keys", { name: "Nothing", type: "none" });
  const repository = (name: string, git_url: string) =>
    make("repositories", { name, git_url, git_branch: "main", ssh_key_id: noKey });
  const repository_id = await repository("Plays", git.url);
  const here = "localhost ansible_connection=local " +
    "ansible_python_interpreter={{ansible_playbook_python}}\n";
  const far = hosts.ports.slice(1).map((port, n) =>
    `host${n + 2} ansible_host=127.0.0.1 ansible_port=${port}`
  ).join("\n");
  const inventory = (name: string, fields: object) =>
    make("inventory", { name, type: "static", inventory: here, ssh_key_id: noKey, ...fields });
  const become = await make("keys", {
    name: "Become",
    type: "login_password",
    source: { storage_id: byRole, path: "team/web" },
  });
  const fleet = await inventory("Fleet", {
    inventory: `${here}[far]\n${far}\n`,
    ssh_key_id: undefined,
    ssh_key_ids: sshKeys,
    ssh_key_hosts: Object.fromEntries(sshKeys.map((id, n) => [id, [`host${n + 2}`]])),
    become_key_id: become,
  });
  const local = await inventory("Local", { ssh_key_id: await password("login") });
  const path = dirname((await findRealAnsible()).playbook);
  const toolchain_id = await make("toolchains", { name: "Own", kind: "path", path });
  const common = {
    playbook: "site.yml",
    repository_id,
    environment_id,
    runner_tag: labels,
    allow_parallel_tasks: true,
    task_identity: true,
    arguments: JSON.stringify(["-e", `canary=${CANARY}`]),
  };
  const template = (name: string, fields: object) =>
    make("templates", { ...common, name: `${name} ${CANARY}`, ...fields });
  const asked = (name: string, target: string) => ({
    name,
    title: name,
    type: "secret",
    target,
    required: true,
  });
  const vaultKey = async (name: string) => ({
    name,
    type: "password",
    vault_key_id: await password(`vault ${name}`),
  });
  const broken = "b3BlbnNzaC1rZXktdjEzzzzzz";
  secrets.set("broken key", broken).set("token of a repository", "t0ken-of-the-repository");
  const brokenKey = await make("keys", {
    name: "Broken",
    type: "ssh",
    ssh: {
      login: "git",
      passphrase: add("passphrase of a broken key"),
      private_key: `-----BEGIN OPENSSH PRIVATE KEY-----\n${broken}\n` +
        "-----END OPENSSH PRIVATE KEY-----\n",
    },
  });
  sources.readable.delete("passphrase of a broken key");
  const lonely = await repository("Far", "https://t0ken-of-the-repository@127.0.0.1:9/x.git");
  const ways = {
    stored: await template("Stored", {
      inventory_id: fleet,
      toolchain_id,
      vaults: [await vaultKey("a"), await vaultKey("b")],
      survey_vars: [asked("s_answer", ""), asked("S_ANSWER", "env")],
    }),
    own: await template("Own", {
      inventory_id: await inventory("Own", { own_key: true }),
      ask_become_password: true,
      ask_vault_password: true,
    }),
    asked: await template("Asked", { inventory_id: local, ask_ssh_password: true }),
    local: await template("Local", { inventory_id: local }),
    broken: await template("Broken", {
      inventory_id: await inventory("Broken", { ssh_key_id: brokenKey }),
    }),
    lonely: await template("Lonely", { inventory_id: local, repository_id: lonely }),
  };
  const answers = { s_answer: add("answer"), S_ANSWER: add("answer for a variable") };
  const passwords = { become_password: add("asked become"), vault_password: add("asked vault") };
  const task = (
    template: number,
    input: object = {},
    end: SecretTask["end"] = "success",
  ): SecretTask => ({ template, input: { ...input }, end });
  return {
    tasks: [
      task(ways.stored, { secret: answers }),
      task(ways.own, { own_key_id: ownKey, ...passwords }),
      task(ways.asked, { ssh_password: add("asked ssh") }),
      task(ways.local),
      task(ways.broken, {}, "error"),
      task(ways.lonely, {}, "error"),
    ],
    unattended: await template("Unattended", { inventory_id: fleet }),
    ids: {
      templateId: ways.stored,
      keyId: become,
      storageId: byRole,
      environmentId: environment_id,
      inventoryId: fleet,
      repositoryId: lonely,
      toolchainId: toolchain_id,
    },
  };
}
