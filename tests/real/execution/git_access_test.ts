import assert from "node:assert/strict";
import { proveOnBoth, type RunBench } from "@/tests/support/server/run_bench.ts";
import { planOf, showBench } from "@/tests/support/server/show_bench.ts";
import { hasSshd, sharedSshd, type Sshd } from "@/tests/support/programs/sshd.ts";
import { conceal } from "@/lib/base/secret.ts";
import type { PlanKey } from "@/lib/execution/run/plan.ts";
import { forgetHostKeys } from "@/lib/execution/ssh/known_hosts.ts";
import { remoteCommit } from "@/lib/execution/git/remote_commit.ts";

const ssh = (privateKey: string, passphrase = "", login = ""): PlanKey => ({
  type: "ssh",
  login,
  passphrase: conceal(passphrase),
  privateKey: conceal(privateKey),
});

proveOnBoth(
  "over http, the login goes to the repository's own host only, and into no file left",
  async (on) => {
    await using bench = await showBench(on);
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
  },
);

proveOnBoth(
  "a token in an http address is used, and neither printed, nor left, nor in an argument",
  async (on) => {
    await using bench = await showBench(on);
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
  },
);

proveOnBoth(
  "over ssh, with a key that has a passphrase, from a host whose key is pinned",
  async (on) => {
    await using bench = await showBench(on);
    const hash = await bench.repository.commit({ version: "by ssh\n" }, "Ssh");
    const sshd = await sharedSshd();
    await trySsh(bench, sshd, hash);
  },
  { ignore: !await hasSshd() },
);

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
  assert.ok(await forgetHostKeys(dataDir, plan(key).projectId, `[127.0.0.1]:${sshd.port}`));
  const again = await bench.run(plan(key));
  assert.equal(again.commit?.hash, hash, again.log);
}

/** Asserts that no file below `directory` contains any of `texts`. */
async function assertNowhere(directory: string, texts: string[]) {
  for await (const entry of Deno.readDir(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) await assertNowhere(path, texts);
    if (!entry.isFile) continue;
    const content = new TextDecoder("latin1").decode(await Deno.readFile(path));
    for (const text of texts) assert.ok(!content.includes(text), path);
  }
}

/**
 * Serves the repositories of a folder to clients with this login, through git's own CGI, as web
 * servers do.
 */
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
