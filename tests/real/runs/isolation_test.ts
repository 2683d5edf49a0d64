import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { runJobs } from "@/tests/support/programs/background_jobs.ts";
import { FORGER, FORGING } from "@/tests/support/programs/forger.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import {
  ISOLATION_CASES,
  type IsolationCase,
  makeOpenFolder,
  ORDINARY_SERVER,
} from "@/tests/support/programs/isolation_modes.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import {
  addRealProject,
  type EndedTask,
  newRealProject,
  type RealProject,
  type RealProjectOptions,
} from "@/tests/support/programs/real_project.ts";
import { spawnRunner } from "@/tests/support/server/real_runner.ts";
import { until } from "@/tests/support/basics/until.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";

/** The play attacks the server. Each line of its output names one thing that it has reached. */
const ATTACK = `- hosts: localhost
  gather_facts: false
  tasks:
    - name: Attack
      raw: |
        reached() { echo "reached $1"; }
        for file in {{ secret_files }}; do
          (cat "$file" >/dev/null) 2>/dev/null && reached "$(basename "$file")"
          (: >>"$file") 2>/dev/null && reached "writing $(basename "$file")"
        done
        umount {{ data }} 2>/dev/null
        [ -s {{ data }}/{{ key }} ] && cat {{ data }}/{{ key }} && reached "unmounting"
        ls {{ data }} {{ data }}/tasks {{ data }}/homes 2>/dev/null | grep -qx other && reached "other parts"
        [ "$(ls {{ data }}/tasks 2>/dev/null | wc -l)" -gt 1 ] && reached "other tasks' folders"
        grep -qsa "{{ word }}" /proc/[0-9]*/environ && reached "environment"
        grep -qsa "{{ program }}" /proc/{{ server }}/cmdline && kill -s 0 {{ server }} 2>/dev/null && reached "server"
        (: >>{{ code }}) 2>/dev/null && reached "code"
        [ "$(umask)" = 0022 ] || reached "another umask: $(umask)"
        stat -c mode=%a "$CALLBOARD_OUTPUTS" >>"$CALLBOARD_OUTPUTS"
        echo attacked
      register: attack
    - debug:
        var: attack.stdout_lines
`;

/**
 * Things that a task reaches without isolation, and things that other tasks of its account may
 * reach.
 */
const REACHED = {
  none: [
    "secret.key",
    "writing secret.key",
    "another.kv",
    "writing another.kv",
    "another.kv-wal",
    "writing another.kv-wal",
    "some.age",
    "writing some.age",
    "other parts",
    "environment",
    "unmounting",
    "server",
    "code",
  ],
  bwrap: [],
  user: [],
};

/** Plays that attack the server, then the results of their own run where these are protected. */
const attacks = (mode: IsolationCase["mode"]): Record<string, string> =>
  mode === "none" ? { "site.yml": ATTACK } : { "site.yml": ATTACK + FORGING, "forger.py": FORGER };

const telling = (script: string) =>
  `- hosts: all
  gather_facts: false
  tasks:
    - raw: ${JSON.stringify(script)}
    - fail: { msg: as told }
      when: inventory_hostname == "db"
`;

/** Ends only when it is killed. A module would take as much CPU again to start. */
const STUBBORN = `- hosts: localhost
  gather_facts: false
  tasks:
    - raw: "trap '' TERM; touch {{ started }}; while true; do sleep 0.2; done"
`;

/** Creates a template of plays, which get `variables`. All accounts can read their folder. */
async function makeTemplate(
  project: RealProject,
  files: Record<string, string>,
  variables: unknown,
  fields = {},
) {
  const { home, make, makeTemplate, noKey } = project;
  const name = crypto.randomUUID();
  const git = await newGitRepository(join(home, name));
  await git.commit(files, "Play");
  return await makeTemplate({
    name,
    repository_id: await make("repositories", {
      name,
      git_url: git.url,
      git_branch: "main",
      ssh_key_id: noKey,
    }),
    environment_id: await make("environment", { name, json: JSON.stringify(variables) }),
    ...fields,
  });
}

/**
 * Creates a project whose server has its store outside the data folder, and a word in its
 * environment.
 */
async function newProject(options: RealProjectOptions) {
  const store = await Deno.makeTempDir({ prefix: "callboard_store_" });
  const word = crypto.randomUUID();
  const env = {
    CALLBOARD_KV: join(store, "another.kv"),
    CALLBOARD_BACKUP_AT: "0 3 * * *",
    CALLBOARD_BACKUP_TO: join(store, "backups"),
    CALLBOARD_BACKUP_PASSPHRASE: "a long enough passphrase",
    CALLBOARD_METRICS_TOKEN: word,
    CALLBOARD_STOP_GRACE_SECONDS: "1",
    CALLBOARD_MAX_PARALLEL_TASKS: "0",
    CALLBOARD_DRAIN_SECONDS: "0",
  };
  const project = await newRealProject({ ...options, env: { ...options.env, ...env } });
  const remove = () => Deno.remove(store, { recursive: true });
  return {
    project,
    store,
    word,
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await remove();
    },
  };
}

type Made = Awaited<ReturnType<typeof newProject>>;

/** Runs the attacks, and returns the run. */
async function attack(
  { project, store, word }: Made,
  mode: IsolationCase["mode"],
): Promise<EndedTask> {
  const { dataDir, server } = project;
  await Deno.mkdir(join(dataDir, "homes", "other"), { recursive: true });
  await Deno.writeTextFile(join(store, "backups", "some.age"), "", { mode: 0o600 });
  const template = await makeTemplate(project, attacks(mode), {
    secret_files: [
      join(dataDir, "secret.key"),
      join(store, "another.kv"),
      join(store, "another.kv-wal"),
      join(store, "backups", "some.age"),
    ].join(" "),
    data: dataDir,
    key: "secret.key",
    word: hidden(word),
    server: server.pid,
    program: "server/serve.js",
    code: CODE,
  });
  const ran = await project.run(template, { debug: false });
  assert.deepEqual(await reachedBy(project, ran), REACHED[mode].toSorted());
  const { checks } = (await server.api("GET", "/api/health")).body;
  assert.deepEqual(checks.isolation, { ok: true, reason: null });
  assert.ok(project.printed().includes(`"task_isolation","mode":"${mode}"`));
  return ran;
}

const CODE = fileURLToPath(new URL("../../../lib/web/server/app.ts", import.meta.url));

/** Returns a pattern that finds the word, and is not found by itself. */
const hidden = (word: string) => word.replace(/-/g, "[-]");

async function reachedBy(project: RealProject, { task, log }: EndedTask): Promise<string[]> {
  assert.equal(task.status, "success", log);
  assert.match(log, /attacked/);
  // The play reports outputs through its own file.
  const outputs = await project.get(`tasks/${task.id}/outputs`);
  assert.deepEqual(outputs, [{ name: "mode", value: "600" }]);
  return [...log.matchAll(/reached ([^"\n]*)/g)].map(([, what]) => what!).toSorted();
}

interface Host {
  name: string;
  ok: number;
  changed: number;
  failed: number;
}

async function tellResults({ project, store }: Made, mode: IsolationCase["mode"]) {
  const link = `ln -sf '${join(store, "another.kv")}' "$CALLBOARD_OUTPUTS"`;
  const play = telling(mode === "none" ? "true" : link);
  const { repository_id } = await addPlays(project, play, "Telling");
  const inventory_id = await addInventory(project, hostsOf("web", "db"));
  const template = await project.makeTemplate({ name: "Telling", repository_id, inventory_id });
  const { task, log } = await project.run(template);
  assert.equal(task.end_reason, "db: fail: as told", log);
  assert.match(log, /Of \d+ hosts, 1 failed/);
  const hosts: Host[] = await project.get(`tasks/${task.id}/hosts`);
  const told = hosts.map(({ name, ok, changed, failed }) => [name, ok, changed, failed]);
  assert.deepEqual(told.toSorted(), [["db", 1, 1, 1], ["web", 1, 1, 0]], log);
  const [failed] = await project.get(`tasks/${task.id}/results?status=failed`);
  assert.equal(failed.message, "as told");
  const lines = stripVTControlCharacters(log).split("\n");
  const printed = lines.slice(failed.line - 1, failed.last_line);
  assert.match(printed.at(-1)!, /^fatal: \[db\]: FAILED! =>/);
  assert.equal(
    task.failure_line,
    failed.line + printed.findIndex((line) => /^fatal/.test(line)),
  );
  assert.ok(printed.every((line) => !/^(TASK|PLAY|ok|changed|skipping)/.test(line)));
  assert.deepEqual(await project.get(`tasks/${task.id}/outputs`), []);
  // In bubblewrap the linked file is there, and empty.
  if (mode === "user") assert.match(log, /The file of outputs is unreadable/);
}

/** Fails unless the forger of a run has tried everything, and the run has only these results. */
async function requireNotForged(project: RealProject, { task, log }: EndedTask, count: number) {
  assert.equal(task.status, "success", log);
  assert.match(log, /tried socket of its own/);
  assert.match(log, /tried everything/);
  const reached = [...log.matchAll(/reached ([^"\n]*)/g)].map(([, what]) => what);
  assert.deepEqual(reached, [], log);
  const results = await project.get(`/tasks/${task.id}/results`);
  const told = results.map((result: { host: string }) => result.host);
  assert.deepEqual(told, Array(count).fill("localhost"));
}

/**
 * Ends tasks that ignore TERM. A forced stop and a server that is asked to end give the same order
 * to kill as a stop after its grace time, so they are tried without isolation only.
 */
async function endStubborn(project: RealProject, mode: IsolationCase["mode"]) {
  const { home, dataDir, startTask, stopTask, ended } = project;
  const open = await makeOpenFolder(join(home, "open"));
  const started = join(open, "{{ callboard_vars.task_details.id }}");
  const template = await makeTemplate(project, { "site.yml": STUBBORN }, { started });
  const begun = async () => {
    const task = await startTask(template);
    await until(async () => {
      assert.notEqual((await project.getTask(task)).status, "error", await project.log(task));
      return await Deno.stat(join(open, String(task))).then(() => true, () => false);
    });
    return task;
  };
  const requireNothing = async () => {
    const left = () => findProcesses(dataDir, [project.server.pid]);
    await until(() => left().length === 0).catch(() => assert.deepEqual(left(), []));
  };
  const isPlain = mode === "none";
  for (const force of isPlain ? [false, true] : [false]) {
    const task = await begun();
    await stopTask(task, force);
    const { task: { status }, log } = await ended(task);
    assert.equal(status, "stopped", log);
    await requireNothing();
    assert.deepEqual(await Array.fromAsync(Deno.readDir(join(dataDir, "tasks"))), []);
  }
  for (const signal of isPlain ? ["SIGTERM", "SIGKILL"] as const : ["SIGKILL"] as const) {
    const task = await begun();
    await project.restart(signal, requireNothing);
    assert.equal((await ended(task)).task.status, "error");
    assert.deepEqual(await Array.fromAsync(Deno.readDir(join(dataDir, "tasks"))), []);
  }
}

for (const { name, mode, options, ignore } of ISOLATION_CASES) {
  Deno.test({
    name: `tasks run, and are kept in by: ${name}`,
    ignore,
    async fn(t) {
      await using made = await newProject(options);
      const { project } = made;
      // First, so that no process of another step can be taken for a leftover.
      await t.step(
        "a stop, and a killed server, end a stubborn play and leave nothing",
        () => endStubborn(project, mode),
      );
      let attacked: EndedTask;
      await t.step(
        "a play reaches of the server only what it may, and its own outputs",
        async () => void (attacked = await attack(made, mode)),
      );
      await t.step({
        name: "jobs in the background of this machine are found, and gone with the run",
        // Another test does the same without isolation: see `async_test.ts`. Root may do all that a
        // server with capabilities may.
        ignore: name === "none" || name === "user",
        fn: async () => void await runJobs(project, { a: null }),
      });
      await t.step(
        "each host's results reach the server, and no output from a file of the server does",
        () => tellResults(made, mode),
      );
      await t.step({
        name: "a module cannot make up results of its run",
        // Nothing can prevent root from looking into a process that it sees.
        ignore: mode === "none",
        fn: () => requireNotForged(project, attacked, 4),
      });
    },
  });
}

Deno.test({
  name: `a module cannot make up results of its run: ${ORDINARY_SERVER.name}`,
  ignore: ORDINARY_SERVER.ignore,
  async fn() {
    await using project = await newRealProject(ORDINARY_SERVER.options);
    const files = { "site.yml": FORGING, "forger.py": FORGER };
    const { repository_id } = await addPlays(project, files, "Forger");
    const template = await project.makeTemplate({ name: "Forger", repository_id });
    await requireNotForged(project, await project.run(template), 2);
  },
});

Deno.test("tasks on a runner are kept in by bwrap, and do not see its registration", async () => {
  await using project = await addRealProject();
  const { home, id, server } = project;
  const { body } = await server.api("POST", `/api/project/${id}/runners`, {
    name: "dmz-1",
    tags: ["dmz"],
  });
  const word = crypto.randomUUID();
  const dataDir = join(home, "runner");
  const runner = spawnRunner({
    dataDir,
    env: {
      CALLBOARD_TASK_ISOLATION: "bwrap",
      CALLBOARD_RUNNER_URL: server.url,
      CALLBOARD_RUNNER_TOKEN: body.registration_token,
      HIDDEN: word,
    },
  }, "start");
  try {
    await runner.says("waits for tasks");
    await Deno.mkdir(join(dataDir, "homes", "other"), { recursive: true });
    const files = ["runner.json", "runner.lock"];
    const template = await makeTemplate(project, attacks("bwrap"), {
      secret_files: files.map((name) => join(dataDir, name)).join(" "),
      data: dataDir,
      key: "runner.json",
      word: hidden(word),
      server: runner.pid,
      program: "scripts/runner.ts",
      code: CODE,
    }, { runner_tag: "dmz" });
    const ran = await project.run(template, { debug: false });
    assert.deepEqual(await reachedBy(project, ran), REACHED.bwrap);
    await requireNotForged(project, ran, 4);
  } finally {
    runner.kill("SIGTERM");
    assert.equal(await runner.code, 0, runner.output());
  }
});
