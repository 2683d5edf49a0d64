import assert from "node:assert/strict";
import { serveGit } from "@/tests/support/services/git_http.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { proveOnBoth, type RunBench } from "@/tests/support/server/run_bench.ts";
import { planOf, showBench } from "@/tests/support/server/show_bench.ts";
import { hasSshd, sharedSshd } from "@/tests/support/programs/sshd.ts";
import { conceal } from "@/lib/base/secret.ts";
import { silentLog } from "@/lib/execution/log/run_log.ts";
import { type RunContext, withContext } from "@/lib/execution/run/context.ts";
import type { GitCredential, PlanKey, RepositoryPlan } from "@/lib/execution/run/plan.ts";
import { type GitAccess, openAccess } from "@/lib/execution/git/access.ts";
import { credentialSite, type CredentialType } from "@/lib/execution/git/credential_site.ts";

const { signal } = new AbortController();

const password = (name: string): PlanKey => ({
  type: "login_password",
  login: name,
  password: conceal(`${name}'s secret`),
});

const credential = (type: CredentialType, host: string, key: PlanKey): GitCredential => ({
  name: host,
  site: credentialSite(type, host)!,
  key,
});

/** Does work with what git gets for a repository and these credentials of its project. */
const withAccess = (
  bench: RunBench,
  plan: Partial<RepositoryPlan> & { url: string },
  work: (context: RunContext, access: GitAccess) => Promise<void>,
) =>
  withContext(
    bench.environment,
    { projectId: 1, name: "access", log: silentLog, stop: signal },
    async (context) => {
      const access = await openAccess(context, planOf(bench, plan).repository, "checkout");
      await work(context, access).finally(access.close);
    },
  );

/** Runs a program and returns its output, whether it succeeds or not. */
async function output(command: string[], { env }: GitAccess, input = ""): Promise<string> {
  const [program, ...args] = command;
  const child = new Deno.Command(program, {
    args,
    env: env as Record<string, string>,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

Deno.test("a web server gets a password only if its address is in the site that it is for", async () => {
  await using bench = await showBench();
  const credentials = [
    credential("url", "https://git.example.com", password("all")),
    credential("url", "https://git.example.com/team/", password("team")),
    credential("url", "https://git.example.com/team/plays.git", password("plays")),
    credential("url", "http://git.example.com:8080", password("plain")),
    credential("host", "git.example.com", password("ssh")),
  ];
  const url = "https://own.example.com/own/repository.git";
  const cases = {
    "https://git.example.com/other": "all",
    "https://GIT.example.com:443/other": "all",
    "https://git.example.com": "all",
    "https://git.example.com/team/x": "team",
    "https://git.example.com/team": "team",
    "https://git.example.com/team.git": "team",
    "https://git.example.com/teams/x": "all",
    "https://git.example.com/Team/x": "all",
    "https://git.example.com//team/x": "team",
    "https://git.example.com/team/plays": "plays",
    "https://git.example.com/team/plays.git": "plays",
    "https://git.example.com/team/plays.git/info/lfs": "plays",
    "https://git.example.com/team/plays2": "team",
    "https://git.example.com/team/../other": "all",
    "https://git.example.com/team/%2e%2e/other": "all",
    "https://alice@git.example.com/team/x": "team",
    "http://git.example.com:8080/x": "plain",
    "http://git.example.com/x": "",
    "https://git.example.com:8443/x": "",
    "https://git.example.com.evil.org/x": "",
    "https://evil.org/git.example.com": "",
    "https://git.example.com@evil.org/x": "",
    "https://git.example.com%2F@evil.org/x": "",
    "https://a%40git.example.com%2Fb@evil.org/x": "",
    "https://git.example.com%2f.evil.org/x": "",
    "https://git.example.com%00.evil.org/x": "",
    "https://git.example.com./x": "",
    "https://xgit.example.com/x": "",
    "ssh://git.example.com/x": "",
    "https://own.example.com/own/repository.git": "own",
    "https://own.example.com/own/sub": "own",
    "https://own.example.com:444/own/sub": "",
  };
  await withAccess(bench, { url, key: password("own"), credentials }, async (_, access) => {
    for (const [asked, login] of Object.entries(cases)) {
      const filled = await output(["git", "credential", "fill"], access, `url=${asked}\n\n`);
      const [, found = ""] = /^password=(.*)'s secret$/m.exec(filled) ?? [];
      assert.equal(found, login, `${asked}\n${filled}`);
      if (login !== "") assert.match(filled, new RegExp(`^username=${login}$`, "m"));
    }
  });
});

Deno.test("ssh signs in with the key for the host and the path", async () => {
  await using bench = await showBench();
  const echo = '#!/bin/sh\necho "$SSH_ASKPASS|$CALLBOARD_PASSPHRASE_FILE|$*"\n';
  await Deno.mkdir(`${bench.directory}/bin`);
  await Deno.writeTextFile(`${bench.directory}/bin/ssh`, echo, { mode: 0o755 });
  bench.environment.path = `${bench.directory}/bin:${bench.environment.path}`;
  const credentials = [
    credential("host", "Git.example.com", password("host")),
    credential("url", "git@git.example.com:team", password("team")),
    credential("url", "ssh://git.example.com:2222/srv/plays", password("port")),
  ];
  const cases: [string[], string][] = [
    [["git@git.example.com", "git-upload-pack 'other/x.git'"], "host"],
    [["git@GIT.example.com", "git-upload-pack 'team/x.git'"], "team"],
    [["git@git.example.com", "git-upload-pack '/team/x.git'"], "team"],
    [["git@git.example.com", "git-lfs-authenticate team/x.git download"], "team"],
    [["--", "git@git.example.com", "git-lfs-authenticate team download"], "team"],
    [["git@git.example.com", "git-upload-pack 'teams/x.git'"], "host"],
    [["git@git.example.com", "git-upload-pack 'team/../x.git'"], "host"],
    [["alice@git.example.com", "git-upload-pack 'team/x.git'"], "host"],
    [["-p", "2222", "git.example.com", "git-upload-pack '/srv/plays'"], "port"],
    [["-p", "2223", "git.example.com", "git-upload-pack '/srv/plays'"], "host"],
    [["-o", "SendEnv=GIT_PROTOCOL", "git.example.com", "git-upload-pack 'team/x'"], "team"],
    [["git.example.com.evil.org", "git-upload-pack 'team/x'"], ""],
    [["git.example.com@evil.org", "git-upload-pack 'team/x'"], ""],
    [["own.example.com", "git-upload-pack '/srv/own'"], "own"],
    [["own.example.com", "git-upload-pack '/srv/sub'"], "own"],
    [["-p", "23", "own.example.com", "git-upload-pack '/srv/sub'"], ""],
  ];
  const url = "ssh://own.example.com/srv/own";
  await withAccess(bench, { url, key: password("own"), credentials }, async (_, access) => {
    const command = access.env.GIT_SSH_COMMAND as string;
    for (const [args, login] of cases) {
      const said = await output(["sh", "-c", `${command} "$@"`, "sh", ...args], access);
      const [, file] = said.split("|");
      const found = file === "" ? "" : (await Deno.readTextFile(file)).replace("'s secret\n", "");
      assert.equal(found, login, `${args}\n${said}`);
      assert.ok(said.trim().endsWith(args.join(" ")), said);
    }
  });
});

proveOnBoth(
  "submodules on other hosts are fetched with the keys of the project, and the sentence names hosts",
  async (on) => {
    await using bench = await showBench(on);
    const library = await newGitRepository(`${bench.directory}/library`);
    await library.commit({ "lib.txt": "library by ssh\n" }, "Library");
    const files = await newGitRepository(`${bench.directory}/files`);
    await files.commit({ "file.txt": "files by http\n" }, "Files");
    const served = { directory: bench.directory, repository: files.path, plain: true };
    const server = await serveGit({ ...served, login: "bob", password: "bob's secret" });
    const sshd = await sharedSshd();
    try {
      const privateKey = conceal(await sshd.newKey(""));
      const key: PlanKey = { type: "ssh", login: sshd.login, passphrase: conceal(""), privateKey };
      const { repository } = bench;
      const add = async (url: string, path: string, from: string) => {
        await repository.git("submodule", "--quiet", "add", `file://${from}`, path);
        await repository.git("config", "--file=.gitmodules", `submodule.${path}.url`, url);
      };
      await add(`ssh://127.0.0.1:${sshd.port}${library.path}`, "sub/a", library.path);
      await add(server.url, "sub/b", files.path);
      await repository.commit({}, "Use both");
      const show = "#!/bin/sh\ncat sub/*/*.txt\n";
      await Deno.writeTextFile(bench.environment.ansible.playbook, show, { mode: 0o755 });

      const http = credential("url", new URL(server.url).origin, password("bob"));
      const ssh = credential("host", "127.0.0.1", key);
      const ran = await bench.run(planOf(bench, { credentials: [http, ssh] }));
      assert.match(ran.log, /^library by ssh\nfiles by http$/m);
      for (
        const [credentials, host] of [
          [[http], "127.0.0.1"],
          [[ssh, { ...http, key: password("eve") }], new URL(server.url).host],
        ] as const
      ) {
        const { reason, log } = await bench.run(planOf(bench, { credentials: [...credentials] }));
        const key = "errors.run.submodule_credentials";
        assert.deepEqual([reason?.key, reason?.params?.host?.toString().replace(/^.*@/, "")], [
          key,
          host,
        ], log);
        assert.doesNotMatch(log, new RegExp(`${bench.environment.dataDir}|askpass`));
      }

      const own = await bench.run(planOf(bench, { url: server.url, credentials: [http] }));
      assert.equal(own.commit?.message, "Files", own.log);
      const none = await bench.run(planOf(bench, { url: server.url }));
      assert.deepEqual([none.reason?.key, none.reason?.params?.host], [
        "errors.run.credentials_wanted",
        new URL(server.url).host,
      ]);
    } finally {
      await server.stop();
    }
  },
  { ignore: !await hasSshd() },
);

Deno.test("an address without a login is that of the account git, with and without a key", async () => {
  await using bench = await showBench();
  for (
    const [url, isGit] of [["127.0.0.1:x", true], ["bob@127.0.0.1:x", false]] as const
  ) {
    await withAccess(bench, { url }, (_, access) => {
      assert.equal(/-o User=git$/.test(access.env.GIT_SSH_COMMAND as string), isGit, url);
      return Promise.resolve();
    });
  }
});

Deno.test("the password of a repository over ssh goes to its own host only", async () => {
  await using bench = await showBench();
  const url = "ssh://own.example.com/srv/own";
  await withAccess(bench, { url, key: password("own") }, async (_, access) => {
    const asked = "url=https://own.example.com/x\n\n";
    assert.doesNotMatch(await output(["git", "credential", "fill"], access, asked), /secret/);
  });
});
