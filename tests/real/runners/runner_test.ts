import assert from "node:assert/strict";
import { loadSecretKeys } from "@/lib/access/secret_keys.ts";
import { backUpServer } from "@/lib/maintenance/server_backup/back_up.ts";
import { restoreServer } from "@/lib/maintenance/server_backup/restore.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { giveKnownAnsible } from "@/tests/support/server/known_ansible.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";
import {
  addRealProject,
  type RealProject,
  type RealProjectOptions,
} from "@/tests/support/programs/real_project.ts";
import { runRunner, spawnRunner } from "@/tests/support/server/real_runner.ts";
import { until } from "@/tests/support/basics/until.ts";

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Say
      debug:
        msg: "The secret is {{ secret }}"
    - name: Wait
      raw: "for n in $(seq {{ ticks }}); do echo tick $n; sleep 0.1; done"
`;
/** Different in each process, since other tests run at the same time. */
const SECRET = `between two networks: ${crypto.randomUUID()}`;

/** The tests share the server. Runners find it again after a restart. */
const SERVER: RealProjectOptions = {
  env: { CALLBOARD_DRAIN_SECONDS: "0", CALLBOARD_PORT: String(freePort()) },
};

/** A project whose template runs on its runner dmz-1, which is registered. */
async function newStage() {
  const project = await addRealProject(SERVER);
  const { home, noKey, server } = project;
  const repository = await newGitRepository(`${home}/repository`);
  await repository.commit({ "site.yml": PLAY }, "Play");
  const created = await server.api("POST", `/api/project/${project.id}/runners`, {
    name: "dmz-1",
    tags: ["dmz"],
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const options = {
    dataDir: `${home}/runner`,
    env: { CALLBOARD_RUNNER_TOKEN: created.body.registration_token },
  };
  await giveKnownAnsible(options.dataDir);
  const registered = await runRunner(options, "register", server.url);
  assert.equal(registered.code, 0, registered.said);
  const environment_id = await project.make("environment", {
    name: "Settings",
    json: "{}",
    secrets: [{ type: "var", name: "secret", secret: SECRET, operation: "create" }],
  });
  const repository_id = await project.make("repositories", {
    name: "Play",
    git_url: repository.url,
    git_branch: "main",
    ssh_key_id: noKey,
  });
  const templateOf = (ticks: number, fields = {}) =>
    project.makeTemplate({
      name: `Ticks ${ticks}`,
      arguments: JSON.stringify(["-e", `ticks=${ticks}`]),
      repository_id,
      environment_id,
      runner_tag: "dmz",
      ...fields,
    });
  const runner = { dataDir: options.dataDir };
  return {
    project,
    runner,
    templateOf,
    start: () => spawnRunner(runner, "start"),
    runnerId: created.body.id as number,
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

/** Returns an answer without what differs between two runs: times and ids of Ansible tasks. */
const withoutTimes = (answer: unknown) =>
  JSON.parse(
    JSON.stringify(
      answer,
      (name, value) => /^(start|end|uuid|duration_ms)$|delta/.test(name) ? undefined : value,
    ),
  );

const running = async ({ log }: RealProject, taskId: number) => {
  await until(async () => (await log(taskId)).includes("TASK [Wait]"), 120_000);
};

Deno.test("a task on a runner has the output and the results of one on the server", async () => {
  await using stage = await newStage();
  const { project, templateOf, start } = stage;
  const runner = start();
  try {
    const remote = await project.run(await templateOf(2));
    const local = await project.run(await templateOf(2, { name: "Here", runner_tag: "" }));
    for (const { task, log } of [remote, local]) {
      assert.equal(task.status, "success", log);
      assert.ok(!log.includes(SECRET) && log.includes("The secret is ***"));
    }
    const plain = (log: string) =>
      log.replaceAll(/\d\d:\d\d:\d\d|\d+\.\d+/g, "").split("\n").slice(-15);
    assert.deepEqual(plain(remote.log), plain(local.log));
    const resultsOf = async ({ id }: { id: number }) =>
      [
        await project.get(`tasks/${id}/hosts`),
        await project.get(`tasks/${id}/plays`),
        await project.get(`tasks/${id}/results`),
      ].map(withoutTimes);
    assert.deepEqual(await resultsOf(remote.task), await resultsOf(local.task));
    assert.equal(remote.task.runner_id, stage.runnerId);
    assert.equal(local.task.runner_id, null);
  } finally {
    runner.kill("SIGTERM");
    assert.equal(await runner.code, 0, runner.output());
  }
  assert.ok(!runner.output().includes(SECRET));
});

Deno.test("a stop reaches the processes on a runner", async () => {
  await using stage = await newStage();
  const { project, templateOf, start, runner: { dataDir } } = stage;
  const runner = start();
  const taskId = await project.startTask(await templateOf(6_000));
  await running(project, taskId);
  await project.stopTask(taskId);
  const { task } = await project.ended(taskId);
  assert.equal(task.status, "stopped");
  assert.deepEqual(findProcesses(`${dataDir}/tasks`), []);
  runner.kill("SIGTERM");
  assert.equal(await runner.code, 0, runner.output());
});

Deno.test("a killed server continues the task of a runner without losing a line", async () => {
  await using stage = await newStage();
  const { project, templateOf, start } = stage;
  const runner = start();
  const taskId = await project.startTask(await templateOf(100));
  await running(project, taskId);
  await project.restart("SIGKILL");
  const { task, log } = await project.ended(taskId);
  assert.equal(task.status, "success", log + runner.output());
  const { complete, lost, results } = await project.get(`tasks/${taskId}/results_summary`);
  assert.deepEqual({ complete, lost, results }, { complete: true, lost: 0, results: 2 });
  assert.match(log, /PLAY RECAP.*\n.*localhost.*ok=2/);
  runner.kill("SIGTERM");
  assert.equal(await runner.code, 0, runner.output());
});

Deno.test("the task of a killed runner fails when the runner is back, and leaves nothing", async () => {
  await using stage = await newStage();
  const { project, templateOf, start, runner: { dataDir } } = stage;
  const first = start();
  const taskId = await project.startTask(await templateOf(6_000));
  await running(project, taskId);
  first.kill("SIGKILL");
  await first.code;
  await until(() => findProcesses(`${dataDir}/tasks`).length === 0);
  const second = start();
  const { task, log } = await project.ended(taskId);
  assert.equal(task.status, "error");
  assert.match(log, /dmz-1/);
  const next = await project.run(await templateOf(1));
  assert.equal(next.task.status, "success", next.log);
  assert.deepEqual([...Deno.readDirSync(`${dataDir}/tasks`)], []);
  second.kill("SIGTERM");
  assert.equal(await second.code, 0, second.output());
});

Deno.test("a server restored elsewhere from a backup continues the task of a runner", async () => {
  await using stage = await newStage();
  const { project, templateOf, start } = stage;
  const { home, dataDir } = project;
  const runner = start();
  const taskId = await project.startTask(await templateOf(150));
  await running(project, taskId);
  const passphrase = "a long enough passphrase";
  const to = `${home}/server.age`;
  const config = { dataDir, kv: `${dataDir}/callboard.kv`, version: "" };
  const store = { id: crypto.randomUUID(), made: new Date().toISOString() };
  const secretKeys = await loadSecretKeys(new Map(), dataDir);
  await backUpServer({ config, store, secretKeys, passphrase, to, workFactor: 10 });
  await project.restart("SIGKILL", async () => {
    await Deno.rename(dataDir, `${home}/lost`);
    await restoreServer({ config, secretKeySetting: undefined, passphrase, from: to });
  });
  const { task, log } = await project.ended(taskId);
  assert.equal(task.status, "success", log + runner.output());
  assert.match(log, /PLAY RECAP.*\n.*localhost.*ok=2/);
  const events: { object_id: number; action: string }[] = await project.get("events");
  const ends = events.filter(({ object_id, action }) =>
    object_id === taskId && action.startsWith("finished_")
  );
  assert.equal(ends.length, 1);
  const next = await project.run(await templateOf(1));
  assert.equal(next.task.status, "success", next.log + runner.output());
  assert.equal(next.task.runner_id, stage.runnerId);
  runner.kill("SIGTERM");
  assert.equal(await runner.code, 0, runner.output());
});
