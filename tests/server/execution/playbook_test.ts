import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { newRunBench, proveOnBoth, replace } from "@/tests/support/server/run_bench.ts";
import { conceal, secretsIn } from "@/lib/base/secret.ts";
import { parseAddress } from "@/lib/execution/git/address.ts";
import { credentialSite } from "@/lib/execution/git/credential_site.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

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

proveOnBoth("secrets are in no line, and only in 0600 files during the run", async (on) => {
  await using bench = await newRunBench(on);
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

proveOnBoth("no secret of a plan comes out, wherever Ansible reads it", async (on) => {
  await using bench = await newRunBench(on);
  const raw = `${bench.directory}/raw`;
  await replace(
    bench,
    "playbook",
    `{ cat "$(dirname "$PWD")"/*; env; } 2>/dev/null | tee ${raw}`,
  );
  const login = (password: string) =>
    ({ type: "login_password", login: "root", password: conceal(password) }) as const;
  const { repository, inventory } = bench.plan();
  const site = credentialSite("url", "https://git.example/")!;
  const plan = bench.plan({
    repository: {
      ...repository,
      credentials: [{ name: "git", site, key: login("secret of git") }],
    },
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
  const secrets = secretsIn(plan).map(revealed);
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
    "requirements.yml": "[alice.one]",
    "roles/requirements.yml": "[alice.two]",
    "collections/requirements.yml": "collections: [alice.three]",
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
  const from = async (server: string, TOKEN: string) => {
    const env = {
      SHELF: "three",
      ANSIBLE_GALAXY_SERVER_LIST: "hub",
      ANSIBLE_GALAXY_SERVER_HUB_URL: server,
    };
    const secretEnv = { ANSIBLE_GALAXY_SERVER_HUB_TOKEN: conceal(TOKEN) };
    return /^galaxy/m.test((await run("", { env, secretEnv })).log);
  };
  assert.equal(await from("https://a.example.com/", "one"), true);
  assert.equal(await from("https://a.example.com/", "another"), false);
  assert.equal(await from("https://b.example.com/", "one"), true);
  const config = "[galaxy]\nserver_list = hub\n[galaxy_server.hub]\nurl = https://c.example.com/\n";
  const commit = (token: string) =>
    bench.repository.commit({ "ansible.cfg": `${config}token = ${token}\n` }, "Server");
  await commit("one");
  assert.match((await run("four")).log, /^galaxy/m);
  await commit("two");
  assert.doesNotMatch((await run("five")).log, /^galaxy/m);
  assert.doesNotMatch((await run("x", { skipGalaxyInstall: true, projectId: 3 })).log, /^galaxy/m);
});

Deno.test("an installation is there as a whole or not at all, and stays while it is used", async () => {
  await using bench = await newRunBench();
  await replace(
    bench,
    "galaxy",
    'echo "galaxy $SHELF"; mkdir -p "$ANSIBLE_ROLES_PATH/r"; sleep 0.$SHELF; echo x >"$ANSIBLE_ROLES_PATH/r/f"',
  );
  await replace(bench, "playbook", 'cat "${ANSIBLE_ROLES_PATH%%:*}/r/f"; sleep "${PLAY:-0}"');
  await bench.repository.commit({ "requirements.yml": "[alice.one]" }, "Requirements");
  const run = (changes = {}, options = {}) =>
    bench.run(bench.plan({ env: { SHELF: "5" }, ...changes }), options);
  const project = `${bench.environment.dataDir}/galaxy/1`;
  const names = () =>
    [...Deno.readDirSync(project)].map(({ name }) => name).filter((name) => /^\w{32}$/.test(name));
  // Two runs of the same, at the same time: one installs.
  const both = await Promise.all([run(), run()]);
  assert.equal(both.map(({ log }) => log.match(/^galaxy/gm)?.length ?? 0).sort().join(""), "01");
  assert.ok(both.every(({ log }) => /^x$/m.test(log)));
  // A server that dies in between leaves a part, which no run takes for the whole.
  const [key] = names();
  await Deno.rename(`${project}/${key}`, `${project}/${key}.new`);
  await Deno.remove(`${project}/${key}/r/f`).catch(() => {});
  assert.match((await run()).log, /^galaxy[^]*^x$/m);
  // A running play keeps its folder, whatever is installed meanwhile. Others go when they are many.
  const [began, stop] = [Promise.withResolvers<void>(), new AbortController()];
  const playing = run({ env: { SHELF: "0", PLAY: "100" } }, {
    stop: stop.signal,
    onLine: (line: string) => line === "x" && began.resolve(),
  });
  await began.promise;
  for (let n = 0; n < 7; n++) {
    await run({ requirements: { generation: String(n) }, env: { SHELF: "0" } });
  }
  assert.ok(names().includes(key));
  assert.equal(names().length, 6);
  stop.abort();
  assert.equal((await playing).end, "stopped");
  await run({ requirements: { generation: "7" } });
  assert.ok(!names().includes(key));
});

Deno.test("a requirement file that cannot be read says why, and an empty one asks for nothing", async () => {
  await using bench = await newRunBench();
  await replace(bench, "galaxy", "echo galaxy");
  const keyOf = async (files: Record<string, string>) => {
    await bench.repository.git("rm", "-r", "-q", "--ignore-unmatch", "*requirements*", "more.yml");
    await bench.repository.commit(files, "Requirements");
    const { reason, log } = await bench.run(bench.plan());
    return reason?.key.replace("errors.run.", "") ?? /^galaxy/m.test(log);
  };
  const both = { "roles/requirements.yml": "[a.b]", "roles/requirements.yaml": "[a.b]" };
  assert.equal(await keyOf(both), "requirements_twice");
  assert.equal(await keyOf({ "requirements.yaml": "" }), false);
  assert.equal(await keyOf({ "collections/requirements.yaml": "---\n" }), false);
  assert.equal(await keyOf({ "requirements.yml": "roles: []\ncollections:\n" }), false);
  assert.equal(await keyOf({ "collections/requirements.yaml": "collections: [a.b]" }), true);
  assert.equal(await keyOf({ "requirements.yml": "- {" }), "requirements_yaml");
  assert.equal(await keyOf({ "requirements.yml": "packages: []" }), "requirements_format");
  assert.equal(await keyOf({ "collections/requirements.yml": "[a.b]" }), "requirements_format");
  const include = "- include: more.yml\n";
  assert.equal(await keyOf({ "requirements.yml": include }), "requirements_missing");
  assert.equal(
    await keyOf({ "requirements.yml": include, "more.yml": include }),
    "requirements_format",
  );
  assert.equal(
    await keyOf({ "requirements.yml": `# ${"x".repeat(70_000)}` }),
    "requirements_too_large",
  );
});

Deno.test("requirements come from anywhere but the data folder", async () => {
  await using bench = await newRunBench();
  await replace(bench, "galaxy", "echo galaxy");
  const { dataDir } = bench.environment;
  const keyOf = async (text: string) => {
    await bench.repository.commit({ "requirements.yml": text }, "Requirements");
    return (await bench.run(bench.plan())).reason?.key;
  };
  for (
    const source of [
      `[{ src: "file://${dataDir}/repositories/2/1/x.git", scm: git }]`,
      `collections:\n  - name: git+file://${dataDir}/repositories/2/1/x.git,main\n`,
      `collections:\n  - { name: ${dataDir}/homes, type: dir }\n`,
      `- src: '${dataDir}/tasks/../role.tar.gz'\n`,
      `- src: git+../../../../2/repository\n  version: ${"a".repeat(40)}\n`,
      JSON.stringify(
        [...Array(300).keys(), dataDir].map((n) => ({ src: `git+file:///${n}`, name: `r${n}` })),
      ),
    ]
  ) {
    await Deno.mkdir(`${dataDir}/repositories/2/1/x.git`, { recursive: true });
    assert.equal(await keyOf(source), "errors.run.repository_in_data", source);
  }
  assert.equal(await keyOf(`- src: file://${bench.directory}/role\n# https://host/x`), undefined);
});

Deno.test("the environment's PATH is for the play, and its account is known", async () => {
  await using bench = await newRunBench();
  await replace(bench, "playbook", 'echo "$USER $LOGNAME looks in $PATH"');
  const ran = await bench.run(bench.plan({ env: { PATH: "/opt/tools/bin" } }));
  const { username } = userInfo();
  assert.ok(ran.log.includes(`${username} ${username} looks in /opt/tools/bin`), ran.log);
});

Deno.test("variables reach the play whose names no shell can carry", async () => {
  await using bench = await newRunBench();
  await replace(
    bench,
    "playbook",
    "tr '\\0' '\\n' </proc/self/environ",
  );
  const env = {
    "homelab-ca-crt": "one = two\n$(id) 'x' \"y\" \\\\ *",
    "-i": "1",
    "a.b": "",
    "ä;id'": "2",
    LD_ODD_x: "3",
    plain: "4",
  };
  const { log } = await bench.run(bench.plan({ env }));
  const seen = log.split("\n");
  for (const [name, value] of Object.entries(env)) {
    const [first, ...rest] = `${name}=${value}`.split("\n");
    const at = seen.findIndex((line) => line === first);
    assert.ok(at >= 0, `${name}: ${log}`);
    assert.deepEqual(seen.slice(at + 1, at + 1 + rest.length), rest);
  }
  assert.doesNotMatch(log, /CALLBOARD_LATE|may be lost/);
});

Deno.test("a missing OpenSSH or git is reported as missing, and not as a bad key", async () => {
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
  const programs = await linkPrograms(path, `${bench.directory}/programs`);
  bench.environment.path = programs;
  const away = `${bench.directory}/away`;
  for (const [program, change, reason] of cases) {
    await Deno.rename(`${programs}/${program}`, away);
    const ran = await bench.run(bench.plan(change));
    assert.equal(ran.reason?.key, reason, ran.log);
    await Deno.rename(away, `${programs}/${program}`);
  }
  await Deno.remove(`${programs}/ssh-agent`);
  await Deno.writeTextFile(`${programs}/ssh-agent`, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const ran = await bench.run(bench.plan(onHosts));
  assert.equal(ran.reason?.key, "errors.run.agent_failed", ran.log);
});

/** Creates a folder with links to all programs of `path`. */
async function linkPrograms(path: string, folder: string): Promise<string> {
  await Deno.mkdir(folder);
  const command = 'for one in "$@"; do ln -sf "$one"/* "$0" || true; done';
  const args = ["-c", command, folder, ...path.split(":").toReversed()];
  await new Deno.Command("sh", { args, stderr: "null" }).output();
  return folder;
}
