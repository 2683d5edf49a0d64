import assert from "node:assert/strict";
import { join } from "node:path";
import { serveGit } from "@/tests/support/services/git_http.ts";
import { type GitRepository, newGitRepository } from "@/tests/support/services/git_repository.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import {
  type EndedTask,
  newRealProject,
  type RealProject,
} from "@/tests/support/programs/real_project.ts";
import { type Sshd, startSshd } from "@/tests/support/programs/sshd.ts";

const PASSPHRASE = "opens the key of the repository: 9c41";

/** Uses a stand-in, because this tests repositories and not Ansible. */
const newProject = (env: Record<string, string> = {}) =>
  newRealProject({ ansible: (home) => installStandIn(join(home, "bin")), env });

async function newPlaybooks({ home }: RealProject): Promise<GitRepository> {
  const git = await newGitRepository(join(home, "repository"));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  return git;
}

async function templateOf(
  { make, makeTemplate }: RealProject,
  repository: Record<string, unknown>,
): Promise<number> {
  const name = crypto.randomUUID();
  return await makeTemplate({
    name,
    repository_id: await make("repositories", { name, git_branch: "main", ...repository }),
  });
}

const sshKey = ({ make }: RealProject, { login }: Sshd, private_key: string, passphrase: string) =>
  make("keys", { name: passphrase, type: "ssh", ssh: { login, passphrase, private_key } });

/** Requires that the run ended with this reason, and that its log has the reason and the branch. */
function requireFailure({ task, log }: EndedTask, reason: RegExp, branch = "main") {
  assert.equal(task.status, "error", log);
  assert.match(task.end_reason, reason);
  assert.match(log, new RegExp(`^Failed updating repository .*, branch ${branch}$`, "m"));
  assert.match(log, reason);
}

Deno.test("errors with a repository behind ssh are explained in a sentence", async () => {
  await using project = await newProject();
  const sshd = await startSshd(project.home);
  try {
    const { path } = await newPlaybooks(project);
    const key = await sshd.newKey(PASSPHRASE);
    const git_url = `ssh://${sshd.login}@127.0.0.1:${sshd.port}${path}`;
    const ssh_key_id = await sshKey(project, sshd, key, PASSPHRASE);
    const good = await templateOf(project, { git_url, ssh_key_id });
    assert.equal((await project.run(good)).task.status, "success");

    const wanting = async (repository: Record<string, unknown>) =>
      await project.run(await templateOf(project, { git_url, ssh_key_id, ...repository }));
    requireFailure(
      await wanting({ git_branch: "release/9" }),
      /The repository has no branch or tag "release\/9"\./,
      "release/9",
    );
    requireFailure(
      await wanting({ ssh_key_id: await sshKey(project, sshd, key, "not this one") }),
      /The passphrase of an SSH key is missing or wrong\./,
    );
    requireFailure(
      await wanting({ ssh_key_id: project.noKey }),
      /127\.0\.0\.1:\d+ refused the repository's key\./,
    );
    requireFailure(
      await wanting({ git_url: git_url.replace("/repository", "/nowhere") }),
      /There is no repository at ssh:.*nowhere/,
    );

    await sshd.changeHostKey();
    requireFailure(
      await project.run(good),
      /The host key of \[?127\.0\.0\.1.*has changed/,
    );
    await sshd.stop();
    requireFailure(await project.run(good), /127\.0\.0\.1:\d+ cannot be reached\./);
  } finally {
    await sshd.stop().catch(() => {});
  }
});

Deno.test("a repository behind https gets login and password, and no one else does", async () => {
  const directory = await Deno.makeTempDir({ prefix: "callboard_git_" });
  const repository = await newGitRepository(join(directory, "repository"));
  const hash = await repository.commit({ "site.yml": "- hosts: all\n" }, "First play");
  const [login, password] = ["deploy", "to:k@n/7431 %"];
  const served = { directory, repository: repository.path, login, password };
  const server = await serveGit(served);
  await Deno.mkdir(join(directory, "stranger"));
  const stranger = await serveGit({ ...served, directory: join(directory, "stranger") });
  await using project = await newProject({ SSL_CERT_FILE: server.certificate });
  try {
    const keyOf = (password: string) =>
      project.make("keys", {
        name: password,
        type: "login_password",
        login_password: { login, password },
      });
    const git_url = server.url;
    const template = await templateOf(project, {
      git_url,
      ssh_key_id: await keyOf(password),
    });
    const { task, log } = await project.run(template);
    assert.equal(task.status, "success", log);
    assert.equal(task.commit_hash, hash);
    assert.ok(server.admitted > 0);

    const refused = await templateOf(project, { git_url, ssh_key_id: await keyOf("wrong") });
    requireFailure(await project.run(refused), /refused the repository's key/);
    const without = await templateOf(project, { git_url, ssh_key_id: project.noKey });
    requireFailure(await project.run(without), /^127\.0\.0\.1:\d+ asks for credentials\. /m);
    const strange = await templateOf(project, { git_url: stranger.url, ssh_key_id: project.noKey });
    requireFailure(await project.run(strange), /does not trust the certificate/);
  } finally {
    await server.stop();
    await stranger.stop();
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a repository over plain http gets login and password, too; git@host/path is asked by ssh", async () => {
  const directory = await Deno.makeTempDir({ prefix: "callboard_git_" });
  const repository = await newGitRepository(join(directory, "repository"));
  const hash = await repository.commit({ "site.yml": "- hosts: all\n" }, "First play");
  const [login, password] = ["deploy", "k@n/7431 %"];
  const served = { directory, repository: repository.path, login, password, plain: true };
  const server = await serveGit(served);
  await using project = await newProject();
  try {
    const ssh_key_id = await project.make("keys", {
      name: "Git",
      type: "login_password",
      login_password: { login, password },
    });
    const template = await templateOf(project, { git_url: server.url, ssh_key_id });
    const { task, log } = await project.run(template);
    assert.equal(task.status, "success", log);
    assert.equal(task.commit_hash, hash);
    assert.ok(server.admitted > 0);

    // No one can sign in there. But git used ssh, and did not look for a folder.
    const git_url = "git@127.0.0.254/team/playbooks.git";
    const slash = await templateOf(project, { git_url, ssh_key_id: project.noKey });
    const ended = await project.run(slash);
    requireFailure(ended, /127\.0\.0\.254/);
    assert.match(ended.log, /^Updating repository ssh:\/\/git@127\.0\.0\.254\/team/m);
  } finally {
    await server.stop();
    await Deno.remove(directory, { recursive: true });
  }
});

/** Prints what the checkout says about its commit, and ends. */
async function installDescribe(home: string): Promise<string> {
  const bin = await installStandIn(join(home, "bin"));
  const describe = '#!/bin/sh\necho "describes $(git describe 2>&1)"\n';
  await Deno.writeTextFile(join(bin, "ansible-playbook"), describe, { mode: 0o755 });
  return bin;
}

Deno.test("a task runs the branch, tag or commit that a webhook names, with the history that is set", async () => {
  await using project = await newRealProject({ ansible: installDescribe });
  const git = await newPlaybooks(project);
  await git.git("tag", "--annotate", "--message=First", "v1");
  const second = await git.commit({ "other.yml": "" }, "Second");
  const repository = await project.make("repositories", {
    name: "Plays",
    git_url: git.url,
    git_branch: "v1",
    git_depth: 0,
    ssh_key_id: project.noKey,
  });
  const template = await project.makeTemplate({
    name: "Release",
    repository_id: repository,
    allow_override_branch_in_task: true,
  });
  const run = async (git_branch?: string) => {
    const { task, log } = await project.run(template, { git_branch });
    assert.equal(task.status, "success", log);
    return /^describes (.*)$/m.exec(log)?.[1];
  };
  const later = `v1-1-g${second.slice(0, 7)}`;
  assert.equal(await run(), "v1");
  assert.equal(await run("refs/heads/main"), later);
  assert.equal(await run("refs/tags/v1"), "v1");
  assert.equal(await run(second), later);
  assert.deepEqual(await project.get(`repositories/${repository}/branches`), ["main"]);
  const stored = await project.get(`repositories/${repository}`);
  await project.change("repositories", repository, { ...stored, git_depth: 1 });
  assert.match(await run("v1") ?? "", /^fatal: No names found/);
  const { task, log } = await project.run(template, { git_branch: "v2" });
  assert.equal(task.end_reason, 'The repository has no branch or tag "v2".', log);
});
