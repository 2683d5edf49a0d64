import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { newRunBench, type Ran, type RunBench } from "../../tests/support/run_bench.ts";
import { conflict } from "../base/errors.ts";
import { conceal, reveal, secretsIn } from "../base/secret.ts";
import type { AnsiblePlan } from "./ansible/plan.ts";
import { parseAddress } from "./git/address.ts";
import { recoverLeftovers } from "./recover.ts";

/** Puts a program of the test's own in the place of Ansible's. */
async function replace(bench: RunBench, which: "playbook" | "galaxy", script: string) {
  await Deno.mkdir(`${bench.directory}/bin`, { recursive: true });
  const path = `${bench.directory}/bin/ansible-${which}`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  bench.environment.ansible[which] = path;
}

async function stopAt(bench: RunBench, line: RegExp, how: "stop" | "forceStop" = "stop") {
  const abort = new AbortController();
  const startedAt = performance.now();
  const ran = await bench.run(bench.plan(), {
    [how]: abort.signal,
    onLine: (text) => line.test(text) && abort.abort(),
  });
  return { ...ran, tookMs: performance.now() - startedAt };
}

function assertStopped(ran: Ran) {
  assert.equal(ran.end, "stopped", ran.log);
  assert.equal(ran.reason, null);
}

const leftovers = (bench: RunBench) =>
  [...Deno.readDirSync(`${bench.environment.dataDir}/tasks`)].map((entry) => entry.name);

Deno.test("a run ends as its playbook does, and leaves nothing", async () => {
  await using bench = await newRunBench();
  const good = await bench.run(bench.plan());
  assert.equal(good.end, "success", good.log);
  assert.equal(good.started, true);
  const bad = await bench.run(bench.plan({ env: { CALLBOARD_STAND_IN_EXIT: "2" } }));
  assert.equal(bad.end, "error");
  assert.deepEqual(bad.reason, {
    key: "errors.run.hosts_failed",
    params: { failed: 1, unreachable: 0, hosts: 1 },
  });
  const odd = await bench.run(bench.plan({ extraVars: { callboard_stand_in_exit: 4 } }));
  assert.equal(odd.reason?.key, "errors.run.playbook_failed");
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a stop ends the playbook as stopped, even when it exits with 0", async () => {
  await using bench = await newRunBench();
  await replace(bench, "playbook", "trap 'exit 0' TERM; echo running; while :; do sleep 0.1; done");
  assertStopped(await stopAt(bench, /^running/));
  assertStopped(await stopAt(bench, /^running/, "forceStop"));
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a stop ends a run in git and in galaxy, too, and no playbook begins", async () => {
  await using bench = await newRunBench();
  await replace(bench, "playbook", "echo must not run");
  const git = await stopAt(bench, /^Updating repository/);
  assertStopped(git);
  await bench.repository.commit({ "requirements.yml": "[]" }, "Requirements");
  await replace(bench, "galaxy", "echo installing; sleep 100");
  const galaxy = await stopAt(bench, /^installing/);
  assertStopped(galaxy);
  for (const ran of [git, galaxy]) {
    assert.equal(ran.started, false);
    assert.doesNotMatch(ran.log, /must not run/);
    assert.ok(ran.tookMs < 50_000);
  }
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a run that was stopped before it began does nothing", async () => {
  await using bench = await newRunBench();
  const ran = await bench.run(bench.plan(), { stop: AbortSignal.abort() });
  assertStopped(ran);
  assert.equal(ran.log, "");
});

Deno.test("a run that is given up ends as an error with that reason", async () => {
  await using bench = await newRunBench();
  await replace(bench, "playbook", "echo running; sleep 100");
  const abort = new AbortController();
  const ran = await bench.run(bench.plan(), {
    stop: abort.signal,
    onLine: (line) => line === "running" && abort.abort(conflict("errors.run.lease_lost")),
  });
  assert.equal(ran.end, "error");
  assert.equal(ran.reason?.key, "errors.run.lease_lost");
});

Deno.test("a run may not take longer than the server allows", async () => {
  await using bench = await newRunBench();
  bench.environment.timeLimits.taskMs = 1_000;
  await replace(bench, "playbook", "sleep 100");
  const ran = await bench.run(bench.plan());
  assert.equal(ran.end, "error");
  assert.deepEqual(ran.reason, { key: "errors.run.time_limit", params: { seconds: 1 } });
});

Deno.test("without Ansible, a run says so", async () => {
  await using bench = await newRunBench();
  bench.environment.ansible.playbook = "ansible-playbook-that-is-nowhere";
  const ran = await bench.run(bench.plan());
  assert.equal(ran.reason?.key, "errors.run.ansible_missing");
});

Deno.test("a playbook that Ansible cannot read is told from one that failed", async () => {
  await using bench = await newRunBench();
  const keyOf = async (code: number) => {
    await replace(bench, "playbook", `exit ${code}`);
    return (await bench.run(bench.plan())).reason?.key;
  };
  assert.equal(await keyOf(4), "errors.run.playbook_unreadable");
  assert.equal(await keyOf(1), "errors.run.playbook_failed");
});

Deno.test("playbook and inventory must lie in their checkout", async () => {
  await using bench = await newRunBench();
  await bench.repository.git("config", "core.symlinks", "true");
  await Deno.symlink("/etc", `${bench.repository.path}/away`);
  await bench.repository.commit({ hosts: "localhost\n" }, "Links");
  const reasonOf = async (playbook: string, content: string) => {
    const plan = bench.plan({ playbook });
    plan.inventory = { ...plan.inventory, type: "file", content };
    return (await bench.run(plan)).reason?.key;
  };
  assert.equal(await reasonOf("site.yml", "hosts"), undefined);
  assert.equal(await reasonOf("none.yml", "hosts"), "errors.run.playbook_missing");
  assert.equal(await reasonOf("../../../x", "hosts"), "errors.run.playbook_missing");
  assert.equal(await reasonOf("away/passwd", "hosts"), "errors.run.playbook_outside");
  assert.equal(await reasonOf("site.yml", "none"), "errors.run.inventory_missing");
  assert.equal(await reasonOf("site.yml", "/etc/hosts"), "errors.run.inventory_outside");
});

Deno.test("what nobody may see is in no line, and in 0600 files while the run lasts", async () => {
  await using bench = await newRunBench();
  await replace(
    bench,
    "playbook",
    `tasks=$(dirname "$PWD"); find "$tasks" -maxdepth 1 -type f -printf '%m %f\\n'
    cat "$tasks"/vault_0 "$tasks"/extra_vars.json; echo "$TOKEN" | base64; printf 'a b%%2Fc'`,
  );
  const ran = await bench.run(bench.plan({
    secretVars: { pin: conceal("very secret pin") },
    secretEnv: { TOKEN: conceal("token-in-environment") },
    vaults: [{ name: "default", password: conceal("vault pass") }],
  }));
  assert.equal(ran.end, "success", ran.log);
  assert.doesNotMatch(ran.log, /very secret|token-in|vault pass|dG9rZW4taW4/);
  assert.match(ran.log, /"pin":.{0,25}"\*\*\*"/);
  const modes = ran.log.match(/^\d{3} \S+$/gm)!.filter((line) => /vault|vars|inventory/.test(line));
  assert.ok(modes.length >= 3 && modes.every((line) => line.startsWith("600 ")), modes.join());
});

Deno.test("no secret of a plan comes out, wherever Ansible reads it", async () => {
  await using bench = await newRunBench();
  const raw = `${bench.directory}/raw`;
  await replace(
    bench,
    "playbook",
    `{ cat "$(dirname "$PWD")"/*; env; } 2>/dev/null | tee ${raw}`,
  );
  const login = (password: string) =>
    ({ type: "login_password", login: "root", password: conceal(password) }) as const;
  const { repository, inventory } = bench.plan();
  const plan = bench.plan({
    repository: { ...repository, key: login("secret of git") },
    inventory: {
      ...inventory,
      userKey: login("secret of hosts"),
      becomeKey: login("secret of become"),
    },
    secretVars: { pin: conceal('a "secret" extra var') },
    secretEnv: { TOKEN: conceal("secret in the environment") },
    vaults: [{ name: "default", password: conceal("secret of the vault") }],
  });
  const ran = await bench.run(plan);
  const printed = await Deno.readTextFile(raw);
  const secrets = secretsIn(plan).map(reveal);
  assert.equal(secrets.length, 6);
  for (const secret of secrets) {
    const seen = secret.includes('"') ? JSON.stringify(secret) : secret;
    assert.ok(printed.includes(seen), `${secret} is nowhere: nothing is proven`);
    assert.ok(!ran.log.includes(secret), ran.log);
  }
  assert.doesNotMatch(ran.log, /secret (of|in|extra)/);
});

Deno.test("requirements are installed once for the same files, per project", async () => {
  await using bench = await newRunBench();
  await replace(
    bench,
    "galaxy",
    `echo "galaxy $1 $SHELF"; mkdir -p "$ANSIBLE_ROLES_PATH/r$SHELF"; test "$SHELF" != bad`,
  );
  await replace(bench, "playbook", 'ls "${ANSIBLE_ROLES_PATH%%:*}"');
  await bench.repository.commit({
    "requirements.yml": "[]",
    "roles/requirements.yml": "[]",
    "collections/requirements.yml": "collections: []",
  }, "Requirements");
  const run = (SHELF: string, changes = {}) =>
    bench.run(bench.plan({ env: { SHELF }, ...changes }));

  const failed = await run("bad");
  assert.equal(failed.reason?.key, "errors.run.galaxy_failed", failed.log);
  const first = await run("one");
  assert.deepEqual(first.log.match(/^galaxy \S+/gm), [
    "galaxy collection",
    "galaxy role",
    "galaxy install",
  ]);
  assert.match(first.log, /^rone$/m);
  const second = await run("two");
  assert.doesNotMatch(second.log, /^galaxy/m);
  assert.match(second.log, /^rone$/m);
  assert.match((await run("other", { projectId: 2 })).log, /^galaxy/m);
  assert.doesNotMatch((await run("x", { skipGalaxyInstall: true, projectId: 3 })).log, /^galaxy/m);
});

Deno.test("the environment's PATH is for the play, and its account is known", async () => {
  await using bench = await newRunBench();
  await replace(bench, "playbook", 'echo "$USER $LOGNAME looks in $PATH"');
  const ran = await bench.run(bench.plan({ env: { PATH: "/opt/tools/bin", "no-name": "x" } }));
  const { username } = userInfo();
  assert.ok(ran.log.includes(`${username} ${username} looks in /opt/tools/bin`), ran.log);
  assert.match(ran.log, /The variable no-name may get lost/);
});

Deno.test("what of OpenSSH and git is not installed is told as that, and not as a bad key", async () => {
  await using bench = await newRunBench();
  const { path } = bench.environment;
  const [passphrase, privateKey] = [conceal(""), conceal("x")];
  const key = { type: "ssh", login: "", passphrase, privateKey } as const;
  const { inventory, repository } = bench.plan();
  const onHosts = { inventory: { ...inventory, userKey: key } };
  const address = parseAddress(conceal("git@127.0.0.1:shop.git"), "ssh");
  const inGit = { repository: { ...repository, address } };
  const cases: [string, Partial<AnsiblePlan>, string][] = [
    ["ssh-agent", onHosts, "errors.run.agent_missing"],
    ["ssh-add", onHosts, "errors.run.agent_missing"],
    ["ssh-agent", { repository: { ...inGit.repository, key } }, "errors.run.agent_missing"],
    ["ssh", inGit, "errors.run.ssh_missing"],
    ["git", {}, "errors.run.git_missing"],
  ];
  for (const [program, change, reason] of cases) {
    bench.environment.path = await pathWithout(
      program,
      path,
      `${bench.directory}/${crypto.randomUUID()}`,
    );
    const ran = await bench.run(bench.plan(change));
    assert.equal(ran.reason?.key, reason, ran.log);
  }
  bench.environment.path = await pathWithout("", path, `${bench.directory}/all`);
  await Deno.remove(`${bench.directory}/all/ssh-agent`);
  await Deno.writeTextFile(`${bench.directory}/all/ssh-agent`, "#!/bin/sh\nexit 1\n", {
    mode: 0o755,
  });
  const ran = await bench.run(bench.plan(onHosts));
  assert.equal(ran.reason?.key, "errors.run.agent_failed", ran.log);
});

/** Makes a folder with links to all programs of `path` but one. */
async function pathWithout(program: string, path: string, folder: string): Promise<string> {
  await Deno.mkdir(folder);
  for (const directory of path.split(":").toReversed()) {
    for (const { name } of await Array.fromAsync(Deno.readDir(directory)).catch(() => [])) {
      if (name === program) continue;
      await Deno.remove(`${folder}/${name}`).catch(() => {});
      await Deno.symlink(`${directory}/${name}`, `${folder}/${name}`);
    }
  }
  return folder;
}

Deno.test({
  name: "what a play leaves that cannot be removed changes neither its end nor the next start",
  ignore: !await canMakeImmutable(),
  async fn() {
    await using bench = await newRunBench();
    await replace(bench, "playbook", "touch kept && chattr +i kept");
    const ran = await bench.run(bench.plan());
    const kept = `${bench.environment.dataDir}/tasks/1/checkout/kept`;
    try {
      assert.equal(ran.end, "success", ran.log);
      assert.match(ran.log, /Some files of this run cannot be removed: .*kept/);
      const told: unknown[] = [];
      await recoverLeftovers(bench.environment.dataDir, (error) => told.push(error));
      assert.match(String(told), /kept/);
      assert.deepEqual(leftovers(bench), ["1"]);
    } finally {
      await setImmutable(kept, "-i");
    }
    await recoverLeftovers(bench.environment.dataDir, assert.ifError);
    assert.deepEqual(leftovers(bench), []);
  },
});

function setImmutable(path: string, change: "+i" | "-i") {
  return new Deno.Command("chattr", { args: [change, path], stderr: "null" }).output();
}

/** Root may make files that root cannot remove, on most file systems. */
async function canMakeImmutable(): Promise<boolean> {
  const path = await Deno.makeTempFile();
  const { success } = await setImmutable(path, "+i");
  await setImmutable(path, "-i");
  await Deno.remove(path);
  return success;
}

Deno.test("a data folder with a long path works as well", async () => {
  await using bench = await newRunBench();
  bench.environment.dataDir = `${bench.directory}/${"long/".repeat(20)}data`;
  await replace(bench, "playbook", 'echo "sockets: $ANSIBLE_SSH_CONTROL_PATH_DIR"');
  const ran = await bench.run(bench.plan());
  const [, sockets] = ran.log.match(/^sockets: (.*)$/m)!;
  assert.ok(sockets!.length < 80);
  await assert.rejects(Deno.stat(sockets!), Deno.errors.NotFound);
});

Deno.test("what a killed server and its killed supervisors leave is ended and removed", async () => {
  await using bench = await newRunBench();
  const tasks = `${bench.environment.dataDir}/tasks`;
  await Deno.mkdir(`${tasks}/99`, { recursive: true });
  await Deno.writeTextFile(`${tasks}/99/vault_0`, "secret");
  const orphan = new Deno.Command("setsid", {
    args: ["sh", "-c", `trap '' TERM; echo ready; while :; do sleep 0.1; done`],
    stdout: "piped",
  }).spawn();
  // Not before it has a group of its own, and is deaf to TERM.
  await orphan.stdout.getReader().read();
  const start = await startOf(orphan.pid);
  const boot = (await Deno.readTextFile("/proc/sys/kernel/random/boot_id")).trim();
  const system = `${boot}-${await startOf(1)}`;
  // The second one's id was given to another process since; the third was one of another container.
  const pids = `${orphan.pid} ${start} ${system}\n${Deno.pid} 1 ${system}\n` +
    `${Deno.pid} ${await startOf(Deno.pid)} ${boot}-1\n`;
  await Deno.writeTextFile(`${tasks}/99/pids`, pids);
  assert.equal(await recoverLeftovers(bench.environment.dataDir, assert.ifError), 1);
  assert.equal((await orphan.status).signal, "SIGKILL");
  assert.deepEqual(leftovers(bench), []);
});

/** When a process was started, in ticks since the boot. */
async function startOf(pid: number): Promise<string> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[19]!;
}
