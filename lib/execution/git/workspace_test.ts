import assert from "node:assert/strict";
import { newGitRepository } from "../../../tests/support/git_repository.ts";
import { newRunBench, type RunBench } from "../../../tests/support/run_bench.ts";
import { hasSshd, type Sshd, startSshd } from "../../../tests/support/sshd.ts";
import { forgetHost } from "../ssh/known_hosts.ts";
import { conceal } from "../../base/secret.ts";
import type { AnsiblePlan } from "../ansible/plan.ts";
import type { PlanKey } from "../run/plan.ts";
import { parseAddress } from "./address.ts";
import { remoteCommit } from "./remote_commit.ts";

const ssh = (privateKey: string, passphrase = "", login = ""): PlanKey => ({
  type: "ssh",
  login,
  passphrase: conceal(passphrase),
  privateKey: conceal(privateKey),
});

/** A plan whose playbook prints the file `version` of its checkout. */
function planOf(
  bench: RunBench,
  { url = bench.repository.url, ...changes }: Partial<AnsiblePlan["repository"]> & { url?: string },
): AnsiblePlan {
  const plan = bench.plan();
  const repository = { ...plan.repository, ...changes };
  repository.address = parseAddress(conceal(url), repository.key.type);
  return { ...plan, repository };
}

async function showBench(): Promise<RunBench> {
  const bench = await newRunBench();
  const show = `${bench.directory}/show`;
  await Deno.writeTextFile(
    show,
    "#!/bin/sh\ncat version sub/* 2>/dev/null\ngit log --format=%s\n",
    {
      mode: 0o755,
    },
  );
  bench.environment.ansible.playbook = show;
  return bench;
}

Deno.test("the branch's newest commit is run, and told", async () => {
  await using bench = await showBench();
  const hash = await bench.repository.commit({ version: "two\n" }, "Second\n\nwith more words");
  const ran = await bench.run(planOf(bench, {}));
  assert.equal(ran.end, "success", ran.log);
  assert.deepEqual(ran.commit, { hash, message: "Second" });
  assert.match(ran.log, /^two\nSecond$/m);

  await bench.repository.commit({ version: "three\n" }, "Third");
  assert.match((await bench.run(planOf(bench, {}))).log, /^three\nThird$/m);
});

Deno.test("a plan with a commit gets that one, also when it is not in the mirror yet", async () => {
  await using bench = await showBench();
  const old = await bench.repository.commit({ version: "old\n" }, "Old");
  await bench.repository.commit({ version: "new\n" }, "New");
  assert.match((await bench.run(planOf(bench, { commit: old }))).log, /^old\nOld$/m);
  assert.match((await bench.run(planOf(bench, {}))).log, /^new\nNew$/m);
  assert.match((await bench.run(planOf(bench, { commit: old }))).log, /^old\nOld$/m);

  const { reason } = await bench.run(planOf(bench, { commit: "0".repeat(40) }));
  assert.equal(reason?.key, "errors.run.commit_missing");
});

Deno.test("a commit that somebody asked for is run only if it is of the plan's branch", async () => {
  await using bench = await showBench();
  const { repository } = bench;
  const old = await repository.commit({ version: "old\n" }, "Old");
  await repository.git("checkout", "--quiet", "-b", "secret");
  const secret = await repository.commit({ version: "secret\n" }, "Secret");
  await repository.git("checkout", "--quiet", "main");
  const newest = await repository.commit({ version: "new\n" }, "New");
  const ask = (commit: string, branch = "main") =>
    bench.run(planOf(bench, { commit, branch, ofBranch: true }));

  assert.match((await ask(newest)).log, /^new\nNew$/m);
  assert.match((await ask(old)).log, /^old\nOld$/m);
  assert.equal((await ask(old.slice(0, 9))).commit?.hash, old, "a short hash, too");
  // Also once it lies in the mirror: a run of its own branch has brought it there.
  for (let n = 0; n < 2; n++) {
    const { reason, started, log } = await ask(secret);
    assert.equal(started, false);
    assert.deepEqual(reason, {
      key: n === 0 ? "errors.run.commit_missing" : "errors.run.commit_not_of_branch",
      params: { commit: secret, branch: "main" },
    }, log);
    assert.match((await ask(secret, "secret")).log, /^secret\nSecret$/m);
  }
  assert.match((await bench.run(planOf(bench, {}))).log, /^new\nNew$/m);

  const folder = { url: repository.path, branch: null, commit: old, ofBranch: true };
  const inPlace = await bench.run(planOf(bench, folder));
  assert.equal(inPlace.reason?.key, "errors.run.folder_has_no_commits");
});

Deno.test("runs of one repository at once get each their own commit", async () => {
  await using bench = await showBench();
  const commits = [];
  for (const version of ["a", "b", "c", "d"]) {
    commits.push(await bench.repository.commit({ version: `${version}!\n` }, version));
  }
  const runs = await Promise.all(commits.map((commit) => bench.run(planOf(bench, { commit }))));
  assert.deepEqual(runs.map((ran) => ran.log.match(/^(.)!$/m)?.[1]), ["a", "b", "c", "d"]);
});

Deno.test("a broken mirror is made anew", async () => {
  await using bench = await showBench();
  await bench.run(planOf(bench, {}));
  const folder = `${bench.environment.dataDir}/repositories/1/1`;
  const { directory } = JSON.parse(await Deno.readTextFile(`${folder}/current`));
  await Deno.writeTextFile(`${folder}/${directory}/shallow.lock`, "");
  await bench.repository.commit({ version: "after\n" }, "After");
  const ran = await bench.run(planOf(bench, {}));
  assert.match(ran.log, /^after\nAfter$/m);
});

Deno.test("submodules come along", async () => {
  await using bench = await showBench();
  const library = await newGitRepository(`${bench.directory}/library`);
  await library.commit({ "lib.txt": "old library\n" }, "Library");
  await bench.repository.git("submodule", "--quiet", "add", library.url, "sub");
  await bench.repository.commit({}, "Use the library");
  await library.commit({ "lib.txt": "new library\n" }, "Not used yet");
  const ran = await bench.run(planOf(bench, {}));
  assert.equal(ran.end, "success", ran.log);
  assert.match(ran.log, /^old library$/m);

  await Deno.remove(library.path, { recursive: true });
  const gone = await bench.run(planOf(bench, {}));
  assert.equal(gone.reason?.key, "errors.run.submodules_failed", gone.log);
  assert.match(gone.log, /Failed updating repository.*\n(.*\n)*.*library' does not appear to be/);
});

Deno.test("a missing branch ends in a sentence that names it", async () => {
  await using bench = await showBench();
  const ran = await bench.run(planOf(bench, { branch: "nowhere" }));
  assert.equal(ran.reason?.key, "errors.run.branch_missing");
  assert.equal(ran.reason?.params?.branch, "nowhere");
  assert.match(ran.log, /Failed updating repository .*nowhere/);
});

Deno.test("an address that git could take for something else is refused", async () => {
  await using bench = await showBench();
  for (const url of ["--upload-pack=touch /tmp/x", "ext::sh -c id", "gopher://host/x", "host"]) {
    assert.throws(() => planOf(bench, { url }), { key: "errors.run.repository_url" });
  }
  const unreachable = await bench.run(planOf(bench, { url: "git://127.0.0.1:1/x" }));
  assert.equal(unreachable.reason?.key, "errors.run.repository_unreachable", unreachable.log);
  const missing = await bench.run(planOf(bench, { url: "file:///no/such/repository" }));
  assert.equal(missing.reason?.key, "errors.run.repository_missing", missing.log);
});

Deno.test("a scheme in capitals is the same scheme", async () => {
  await using bench = await showBench();
  await bench.repository.commit({ version: "capitals\n" }, "Capitals");
  const url = bench.repository.url.replace(/^file:/, "FILE:");
  assert.match(url, /^FILE:/);
  const ran = await bench.run(planOf(bench, { url }));
  assert.equal(ran.end, "success", ran.log);
  assert.match(ran.log, /^capitals$/m);
  for (const url of ["GIT://127.0.0.1:1/x", "SSH://127.0.0.1:1/x", "HTTPS://127.0.0.1:1/x"]) {
    const { reason, log } = await bench.run(planOf(bench, { url }));
    assert.equal(reason?.key, "errors.run.repository_unreachable", log);
  }
});

Deno.test("a folder is used in place", async () => {
  await using bench = await showBench();
  const folder = `${bench.directory}/folder`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/site.yml`, "");
  await Deno.writeTextFile(`${folder}/version`, "in place\n");
  const ran = await bench.run(planOf(bench, { url: folder, branch: null }));
  assert.equal(ran.commit, null);
  assert.match(ran.log, /^in place$/m);
  const { reason } = await bench.run(planOf(bench, { url: `${folder}/none`, branch: null }));
  assert.equal(reason?.key, "errors.run.folder_missing");
});

Deno.test("the remote commit is that of exactly the branch", async () => {
  await using bench = await showBench();
  const { repository, environment } = bench;
  const hash = await repository.git("rev-parse", "HEAD");
  await repository.git("update-ref", "refs/heads/a/refs/heads/main", hash);
  const newest = await repository.commit({ version: "x" }, "Newest");
  assert.equal(await remoteCommit(environment, 1, planOf(bench, {}).repository), newest);
  await assert.rejects(
    remoteCommit(environment, 1, planOf(bench, { branch: "none" }).repository),
    { key: "errors.run.branch_missing" },
  );
  assert.deepEqual([...Deno.readDirSync(`${environment.dataDir}/tasks`)], []);
});

Deno.test("over http, the login goes to the repository's own host only, and into no file left", async () => {
  await using bench = await showBench();
  const hash = await bench.repository.commit({ version: "by http\n" }, "Http");
  await using server = serveGit(bench.directory, "bob:p@ss/word");
  const url = `http://127.0.0.1:${server.port}/repository`;
  const bob = { type: "login_password", login: "bob" } as const;
  const key = { ...bob, password: conceal("p@ss/word") };
  const ran = await bench.run(planOf(bench, { url, key }));
  assert.equal(ran.commit?.hash, hash, ran.log);
  const inUrl = url.replace("//", "//bob:p%40ss%2Fword@");
  const known = await bench.run(planOf(bench, { url: inUrl }));
  assert.equal(known.end, "success", known.log);
  const other = { ...bob, password: conceal("wrong one") };
  const wrong = await bench.run(planOf(bench, { url, key: other }));
  assert.equal(wrong.reason?.key, "errors.run.repository_key_refused", wrong.log);
  await assertNowhere(bench.environment.dataDir, ["p@ss/word", "p%40ss", "wrong one"]);
});

Deno.test("a token in an http address is used, and neither printed, nor left, nor in an argument", async () => {
  await using bench = await showBench();
  await bench.repository.commit({ version: "by token\n" }, "Token");
  const token = "ghp_t0ken4u";
  const tracing =
    `#!/bin/sh\necho "$0 $*" >>${bench.directory}/calls\nPATH=${bench.environment.path} exec git "$@"\n`;
  await Deno.mkdir(`${bench.directory}/bin`);
  await Deno.writeTextFile(`${bench.directory}/bin/git`, tracing, { mode: 0o755 });
  bench.environment.path = `${bench.directory}/bin:${bench.environment.path}`;
  const show = `#!/bin/sh
cat version .git/config; tr '\\0' ' ' </proc/$$/environ
echo its token is ${token}
`;
  await Deno.writeTextFile(bench.environment.ansible.playbook, show, { mode: 0o755 });
  for (
    const [userinfo, login] of [
      [token, `${token}:`],
      [`${token}:`, `${token}:`],
      [`${token}:x-oauth-basic`, `${token}:x-oauth-basic`],
      [`:${token}`, `git:${token}`],
      [`x-access-token:${token}`, `x-access-token:${token}`],
    ]
  ) {
    await using server = serveGit(bench.directory, login!);
    const url = `http://${userinfo}@127.0.0.1:${server.port}/repository`;
    const ran = await bench.run(planOf(bench, { url }));
    assert.equal(ran.end, "success", ran.log);
    assert.match(ran.log, /^by token$/m);
    assert.match(ran.log, /its token is \*\*\*$/m);
    assert.doesNotMatch(ran.log, /ghp_/);
    const commit = await remoteCommit(bench.environment, 1, planOf(bench, { url }).repository);
    assert.equal(commit, ran.commit?.hash);
    const refused = await bench.run(planOf(bench, { url: url.replace(token, "wr0ng_token") }));
    assert.equal(refused.reason?.key, "errors.run.repository_key_refused", refused.log);
    assert.doesNotMatch(refused.log + JSON.stringify(refused.reason), /wr0ng/);
  }
  await assertNowhere(bench.environment.dataDir, [token, "wr0ng_token"]);
  const calls = await Deno.readTextFile(`${bench.directory}/calls`);
  assert.match(calls, /fetch .* http:\/\/127/);
  assert.doesNotMatch(calls, /ghp_|wr0ng/);
});

Deno.test({
  name: "over ssh, with a key that has a passphrase, from a host whose key is pinned",
  ignore: !await hasSshd(),
  async fn() {
    await using bench = await showBench();
    const hash = await bench.repository.commit({ version: "by ssh\n" }, "Ssh");
    const sshd = await startSshd(bench.directory);
    try {
      await trySsh(bench, sshd, hash);
    } finally {
      await sshd.stop();
    }
  },
});

async function trySsh(bench: RunBench, sshd: Sshd, hash: string) {
  const privateKey = await sshd.newKey("open sesame");
  const url = `ssh://127.0.0.1:${sshd.port}${bench.repository.path}`;
  const plan = (key: PlanKey) => planOf(bench, { url, key });
  const key = ssh(privateKey, "open sesame", sshd.login);

  const ran = await bench.run(plan(key));
  assert.equal(ran.commit?.hash, hash, ran.log);
  assert.match(ran.log, /^by ssh$/m);
  await assertNowhere(bench.environment.dataDir, ["open sesame", privateKey.split("\n")[1]!]);

  const wrong = await bench.run(plan(ssh(privateKey, "wrong", sshd.login)));
  assert.equal(wrong.reason?.key, "errors.run.passphrase_wrong", wrong.log);
  const none = await bench.run(plan(ssh(privateKey, "", sshd.login)));
  assert.equal(none.reason?.key, "errors.run.passphrase_wrong", none.log);
  const garbage = await bench.run(plan(ssh("no key at all", "", sshd.login)));
  assert.equal(garbage.reason?.key, "errors.run.key_unreadable", garbage.log);
  const without = await bench.run(plan({ type: "none" }));
  assert.equal(without.reason?.key, "errors.run.repository_key_refused", without.log);

  await sshd.changeHostKey();
  const changed = await bench.run(plan(key));
  assert.equal(changed.reason?.key, "errors.run.host_key_changed", changed.log);
  const { environment: { dataDir } } = bench;
  assert.ok(await forgetHost(dataDir, plan(key).projectId, `[127.0.0.1]:${sshd.port}`));
  const again = await bench.run(plan(key));
  assert.equal(again.commit?.hash, hash, again.log);
}

/** No file below `directory` holds any of `texts`. */
async function assertNowhere(directory: string, texts: string[]) {
  for await (const entry of Deno.readDir(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) await assertNowhere(path, texts);
    if (!entry.isFile) continue;
    const content = new TextDecoder("latin1").decode(await Deno.readFile(path));
    for (const text of texts) assert.ok(!content.includes(text), path);
  }
}

/** Serves the repositories of a folder to who knows the login, as web servers do: by git's own CGI. */
function serveGit(root: string, login: string) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (req) => {
    if (req.headers.get("authorization") !== `Basic ${btoa(login)}`) {
      const headers = { "www-authenticate": 'Basic realm="git"' };
      return new Response("sign in", { status: 401, headers });
    }
    const url = new URL(req.url);
    const child = new Deno.Command("git", {
      args: ["-c", "safe.directory=*", "http-backend"],
      env: {
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: url.pathname.replace("/repository", "/repository/.git"),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: req.method,
        CONTENT_TYPE: req.headers.get("content-type") ?? "",
        HTTP_CONTENT_ENCODING: req.headers.get("content-encoding") ?? "",
        GIT_PROTOCOL: req.headers.get("git-protocol") ?? "",
      },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const stdin = child.stdin.getWriter();
    await stdin.write(new Uint8Array(await req.arrayBuffer())).catch(() => {});
    await stdin.close().catch(() => {});
    const { stdout } = await child.output();
    const text = new TextDecoder("latin1").decode(stdout);
    const end = text.indexOf("\r\n\r\n");
    const headers = new Headers(
      text.slice(0, end).split("\r\n").map((line) => line.split(": ") as [string, string]),
    );
    const status = Number(headers.get("status")?.slice(0, 3) ?? 200);
    headers.delete("status");
    return new Response(stdout.slice(end + 4), { status, headers });
  });
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}
