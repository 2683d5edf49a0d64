import assert from "node:assert/strict";
import { join } from "node:path";
import { newPrivateKey, publicKeyOf } from "@/lib/resources/keys/key_pair.ts";
import { parseCertificate } from "@/lib/execution/ssh/certificate.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import {
  addRealProject,
  newRealProject,
  type RealProject,
} from "@/tests/support/programs/real_project.ts";
import { newSshAuthority, type SshAuthority } from "@/tests/support/services/ssh_authority.ts";
import { type Sshd, startSshd } from "@/tests/support/programs/sshd.ts";
import { newVault, ROOT_TOKEN } from "@/tests/support/services/vault.ts";

/** Time for which the certificate is valid. A run takes some seconds of it. */
const VALID_SECONDS = 25;

/** An sshd that admits no key but those that the authority has signed. */
async function startTrustingSshd(home: string, authority: SshAuthority): Promise<Sshd> {
  const trusted = join(home, "trusted_authorities");
  await Deno.writeTextFile(trusted, `${authority.publicKey}\n`);
  return await startSshd(home, [`TrustedUserCAKeys ${trusted}`]);
}

async function makePingTemplate(project: RealProject, { port }: Sshd, key: number) {
  const { home, make, makeTemplate } = project;
  const folder = join(home, "plays");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    join(folder, "site.yml"),
    "- hosts: web\n  gather_facts: false\n  tasks:\n    - raw: echo admitted\n",
  );
  return await makeTemplate({
    repository_id: await make("repositories", {
      name: "Plays",
      git_url: folder,
      ssh_key_id: project.noKey,
    }),
    inventory_id: await make("inventory", {
      name: "Hosts",
      type: "static",
      inventory: `web ansible_host=127.0.0.1 ansible_port=${port}\n`,
      ssh_key_id: key,
    }),
  });
}

Deno.test("a host that trusts only an authority admits a run until its certificate expires", async () => {
  await using project = await addRealProject();
  const { home, make, run, get } = project;
  const authority = await newSshAuthority(home);
  const sshd = await startTrustingSshd(home, authority);
  const { login } = sshd;
  const sshdLog = () => Deno.readTextFile(join(home, "sshd.log"));
  try {
    const privateKey = newPrivateKey("");
    const publicKey = publicKeyOf(privateKey)!;
    const sign = (...options: string[]) =>
      authority.sign(publicKey, "-I", "run of deploy", "-n", login, ...options);
    const form = { name: "Deploy", type: "ssh", ssh: { login, private_key: privateKey } };
    const key = await make("keys", form);
    const template = await makePingTemplate(project, sshd, key);

    const without = await run(template);
    assert.equal(without.task.status, "error", "the key alone is in no authorized_keys");
    assert.match(without.log, /UNREACHABLE|Permission denied/);

    const certificate = await sign("-V", `-1m:+${VALID_SECONDS}s`);
    const end = parseCertificate(certificate)!.validUntil!;
    await project.change("keys", key, { name: "Deploy", certificate });
    const admitted = await run(template);
    assert.ok(Date.now() < end, "the run ended in time");
    assert.equal(admitted.task.status, "success", admitted.log);
    assert.match(await sshdLog(), /Accepted (publickey|certificate) .*ID run of deploy/);

    await sleep(end - Date.now() + 1_000);
    const before = (await sshdLog()).length;
    const expired = await run(template);
    assert.equal(expired.task.status, "error");
    assert.match(expired.task.end_reason, /certificate of the key "Deploy" expired on/);
    assert.doesNotMatch(expired.log, /PLAY \[/);
    assert.equal((await sshdLog()).length, before, "ssh was not asked");
    assert.equal(
      await signInWith(home, sshd, privateKey, certificate),
      false,
      "sshd says the same",
    );

    await project.change("keys", key, { name: "Deploy", certificate: await sign("-V", "-1m:+1h") });
    const renewed = await run(template);
    assert.equal(renewed.task.status, "success", renewed.log);
    assert.match((await get(`keys/${key}`)).certificate_expires, /^20/);
  } finally {
    await sshd.stop();
  }
});

/** Whether ssh itself gets in with a key and its certificate. */
async function signInWith(
  home: string,
  { port, login }: Sshd,
  privateKey: string,
  certificate: string,
): Promise<boolean> {
  const file = join(home, "by_hand");
  await Deno.writeTextFile(file, privateKey, { mode: 0o600 });
  await Deno.writeTextFile(`${file}-cert.pub`, `${certificate}\n`);
  const options = ["BatchMode=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"]
    .flatMap((option) => ["-o", option]);
  const { success } = await new Deno.Command("ssh", {
    args: [
      "-F",
      "/dev/null",
      ...options,
      "-i",
      file,
      "-p",
      `${port}`,
      `${login}@127.0.0.1`,
      "true",
    ],
    stdin: "null",
  }).output();
  return success;
}

Deno.test("git and Ansible accept a host certificate of an authority, also after a reinstall", async () => {
  await using project = await addRealProject();
  const { home, make, makeTemplate, run, get } = project;
  const authority = await newSshAuthority(home);
  const certificate = join(home, "host_key-cert.pub");
  const sshd = await startSshd(home, [`HostCertificate ${certificate}`]);
  const certify = async (publicKey: string) => {
    const signed = await authority.sign(publicKey, "-h", "-I", "web", "-n", "127.0.0.1");
    await Deno.writeTextFile(certificate, `${signed}\n`);
  };
  const hostKey = () => Deno.readTextFile(join(home, "host_key.pub"));
  try {
    const { login, port } = sshd;
    const private_key = await sshd.newKey("");
    const key = await make("keys", { name: "Deploy", type: "ssh", ssh: { login, private_key } });
    const hosts = `[127.0.0.1]:${port}`;
    await make("host_authorities", { hosts, public_key: authority.publicKey });
    const git = await newGitRepository(join(home, "repository"));
    const play = "- hosts: web\n  gather_facts: false\n  tasks:\n    - raw: echo admitted\n";
    await git.commit({ "site.yml": play }, "Ping");
    const template = await makeTemplate({
      repository_id: await make("repositories", {
        name: "Plays",
        git_url: `ssh://127.0.0.1:${port}${git.path}`,
        git_branch: "main",
        ssh_key_id: key,
      }),
      inventory_id: await make("inventory", {
        name: "Hosts",
        type: "static",
        inventory: `web ansible_host=127.0.0.1 ansible_port=${port}\n`,
        ssh_key_id: key,
      }),
    });
    // sshd reads the certificate when it starts, and refuses a file that is missing.
    for (const round of ["at first", "after a reinstall"]) {
      await sshd.changeHostKey(async () => await certify(await hostKey()));
      const { task, log } = await run(template);
      assert.equal(task.status, "success", `${round}: ${log}`);
      assert.deepEqual(await get("known_hosts"), [], `${round}: nothing is pinned`);
    }
    const other = await newSshAuthority(home);
    await sshd.changeHostKey(async () => {
      const signed = await other.sign(await hostKey(), "-h", "-I", "web", "-n", "127.0.0.1");
      await Deno.writeTextFile(certificate, `${signed}\n`);
    });
    assert.equal((await run(template)).task.status, "success");
    assert.equal((await get("known_hosts")).length, 1, "the certificate of a stranger counts not");
  } finally {
    await sshd.stop();
  }
});

Deno.test("a key is signed for each run, by the SSH engine of Vault or by a program", async () => {
  await using vault = await newVault();
  const files = await Deno.makeTempDir({ prefix: "signers_" });
  const authority = await newSshAuthority(files);
  const program = join(files, "sign");
  await Deno.writeTextFile(program, signScript(files), { mode: 0o755 });
  await using project = await newRealProject({
    env: { CALLBOARD_SECRET_NETWORKS: "127.0.0.0/8", CALLBOARD_SECRET_COMMAND: program },
  });
  const { home, make, change, run, get, answers } = project;
  const sshd = await startTrustingSshd(home, authority);
  const { login } = sshd;
  const signed: string[] = [];
  const sign = async (publicKey: string, ...options: string[]) => {
    const line = await authority.sign(publicKey, "-I", "engine", ...options);
    signed.push(line);
    return line;
  };
  vault.signs = (publicKey, principal) => sign(publicKey, "-n", principal, "-V", "-1m:+5m");
  try {
    const storage = await make("secret_storages", {
      name: "Team Vault",
      type: "vault",
      params: { url: vault.url, ca_certificate: vault.ca },
      secret: ROOT_TOKEN,
    });
    const certificate_source = { storage_id: storage, path: "/ssh/sign/deploy" };
    const pair = { name: "Deploy", type: "ssh", ssh: { login }, generate: true };
    const key = await make("keys", { ...pair, certificate_source });
    assert.deepEqual((await get(`keys/${key}`)).certificate_source, {
      ...certificate_source,
      type: "vault",
    });
    const template = await makePingTemplate(project, sshd, key);
    for (const count of [1, 2]) {
      const { task, log } = await run(template);
      assert.equal(task.status, "success", log);
      assert.equal(signed.length, count, "one certificate for each run");
    }
    const refusal = async () => {
      const { task } = await run(template);
      assert.equal(task.status, "error");
      return task.end_reason;
    };
    vault.signs = (publicKey) => sign(publicKey, "-n", login, "-V", "-2m:-1m");
    assert.match(await refusal(), /certificate of the key "Deploy" expired on/);
    vault.tokens.clear();
    assert.match(await refusal(), /"Team Vault" denied access to "\/ssh\/sign\/deploy"/);

    const byProgram = { type: "command", path: "deploy" };
    await change("keys", key, { name: "Deploy", certificate_source: byProgram });
    const { task, log } = await run(template);
    assert.equal(task.status, "success", log);
    assert.match(await Deno.readTextFile(join(home, "sshd.log")), /ID program deploy/);
    for (const line of signed) {
      assert.ok(!answers.some((text) => text.includes(line)), "no certificate is stored");
    }
  } finally {
    await sshd.stop();
    await Deno.remove(files, { recursive: true });
  }
});

/** A program of an administrator that signs with the authority in a folder. */
const signScript = (folder: string) =>
  `#!/bin/sh
set -e
printf '%s\\n' "$CALLBOARD_PUBLIC_KEY" >${folder}/program.pub
ssh-keygen -q -s ${folder}/authority_*.key -I "program $1" -n "$CALLBOARD_LOGIN" -V -1m:+5m \\
  ${folder}/program.pub
cat ${folder}/program-cert.pub
`;
