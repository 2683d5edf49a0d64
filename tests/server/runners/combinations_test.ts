import assert from "node:assert/strict";
import type { RunEnvironment } from "@/lib/execution/run/environment.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { createRemote } from "@/lib/queue/remote/remote.ts";
import { seenRunners } from "@/lib/runners/presence.ts";
import { findTask } from "@/lib/model/tasks.ts";
import { linesOf, newRemoteStage, statusOf } from "@/tests/support/server/remote_stage.ts";
import { newTestRunner, NOTHING_YET } from "@/tests/support/world/test_runner.ts";
import { schedule } from "@/tests/support/world/schedules.ts";
import { until } from "@/tests/support/basics/until.ts";
import type { World } from "@/tests/support/world/world.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

type Stage = Awaited<ReturnType<typeof newRemoteStage>>;
type Run = { task_id: number; run: string };

const COMMIT = "ab".repeat(20);
const STARTED = { ...NOTHING_YET, started: true, checkout: { hash: COMMIT, message: "First" } };

/** Reports a run that succeeds at once. */
function succeed({ runner }: Pick<Stage, "runner">, run: Run) {
  const outcome = { end: "success" as const, reason: null, lines: 1, events: 0 };
  return runner.report(run, { lines: ["done"], state: { ...STARTED, outcome } });
}

const project = ({ web }: World) => `/api/project/${web.id}`;

async function call(world: World, method: string, path: string, body?: unknown) {
  const answer = await world.api("alice", method, project(world) + path, body);
  assert.ok(answer.status < 300, `${path} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns the reason why a task waits, as text. */
const waitOf = async (world: World, id: number) =>
  JSON.stringify(await call(world, "GET", `/tasks/${id}/wait`));

Deno.test("a confirmed task whose runner was deleted says so, and can be stopped", async () => {
  const stage = await newRemoteStage({ preview_first: true });
  const { queue, template, runner, world } = stage;
  await using _ = queue;
  const id = await queue.start(template);
  await succeed(stage, await runner.claim());
  assert.equal(await statusOf(queue, id), "waiting_confirmation");
  const other = await newTestRunner(world);
  await call(world, "POST", `/tasks/${id}/confirm`, {});
  assert.equal((await world.api("erin", "DELETE", `/api/runners/${runner.id}`)).status, 204);
  assert.equal((await other.poll({ wait_ms: 300 })).run, null);
  assert.match(await waitOf(world, id), new RegExp(`dmz-${runner.id}`));
  await call(world, "POST", `/tasks/${id}/stop`, {});
  assert.equal(await statusOf(queue, id), "stopped");
});

Deno.test("a deploy on another runner has the version and the commit of its build", async () => {
  const stage = await newRemoteStage({ type: "build", start_version: "1.0.0" });
  const { queue, template, runner, world } = stage;
  await using _ = queue;
  const deploy = await queue.makeTemplate({
    name: "Deploy",
    runner_tag: "edge",
    type: "deploy",
    build_template_id: template,
  });
  const edge = await newTestRunner(world, { labels: ["edge"] });
  const build = await queue.start(template);
  await succeed(stage, await runner.claim());
  const id = await queue.start(deploy, { build_task_id: build });
  assert.equal((await runner.poll({ wait_ms: 200 })).run, null);
  const run = await edge.claim();
  const { plan } = await edge.open(run);
  assert.equal(plan.repository.commit, COMMIT);
  await succeed({ runner: edge }, run);
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.incoming_version, row.runner_id], [
    "success",
    "1.0.0",
    edge.id,
  ]);
});

Deno.test("stopping all tasks of a template ends those that wait and stops the others", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const [first, second] = [await queue.start(template), await queue.start(template)];
  const { run } = await runner.claim();
  const runs = [{ task_id: first, run, stop: null }];
  const polling = runner.poll({ runs, wait_ms: 20_000 });
  await call(world, "POST", `/templates/${template}/stop_all_tasks`, { force: true });
  assert.deepEqual((await polling).stops, [{ run, stop: "force" }]);
  assert.equal(await statusOf(queue, second), "stopped");
});

Deno.test("a project on runners only: a schedule's task without labels runs there, too", async () => {
  const { queue, runner, world } = await newRemoteStage();
  await using _ = queue;
  const { body } = await world.api("alice", "GET", project(world));
  await call(world, "PUT", "", { ...body, only_runners: true });
  const template = await queue.makeTemplate({ name: "Any" });
  const cron = { name: "Soon", template_id: template, cron_format: "* * * * *", active: true };
  const made = await call(world, "POST", "/schedules", cron);
  await schedule(world, "2024-05-02T10:12:30.000Z");
  const run = await runner.claim();
  const row = await queue.row(run.task_id);
  assert.deepEqual([row.template_id, row.schedule_id], [template, made.id]);
  await succeed({ runner }, run);
});

Deno.test("a schedule asks for new commits where its task would run", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  await call(world, "PUT", `/repositories/${world.web.repositoryId}`, {
    ...await call(world, "GET", `/repositories/${world.web.repositoryId}`),
    git_url: "https://git.internal/shop.git",
  });
  const { id } = await call(world, "POST", "/schedules", {
    name: "Commits",
    template_id: template,
    cron_format: "* * * * *",
    active: true,
    repository_id: world.web.repositoryId,
  });
  const at = (time: string) => schedule(world, `2024-05-02T10:${time}.000Z`);
  await at("12:30");
  const { last_error } = await call(world, "GET", `/schedules/${id}`);
  assert.equal(last_error, "No connected runner has these labels: dmz");

  const checks: unknown[] = [];
  for (const [time, commit] of [["13:10", COMMIT], ["14:05", COMMIT], ["15:00", "cd".repeat(20)]]) {
    const polling = runner.poll({ free: 0, wait_ms: 20_000 });
    await until(async () => (await seenRunners(world.kv)).has(runner.id));
    const due = at(time);
    const { check } = await polling;
    assert.ok(check, time);
    checks.push(await runner.openCheck(check));
    await runner.send(`checks/${check.check}`, { answer: commit, failure: null });
    await due;
  }
  for (const check of checks as { kind: string; repository: { branch: string } }[]) {
    assert.deepEqual([check.kind, check.repository.branch], ["commit", "main"]);
  }
  assert.equal((await call(world, "GET", "/tasks")).length, 2, "the same commit starts no task");
  assert.equal((await call(world, "GET", `/schedules/${id}`)).last_error, null);
});

Deno.test("the limits of the project, the template and the runner hold together", async () => {
  const stage = await newRemoteStage({ allow_parallel_tasks: true });
  const { queue, template, runner, world } = stage;
  await using _ = queue;
  const single = await queue.makeTemplate({ name: "Single", runner_tag: "dmz" });
  const limited = await newTestRunner(world, { labels: ["one"], max_parallel_tasks: 1 });
  const narrow = await queue.makeTemplate({
    name: "Narrow",
    runner_tag: "one",
    allow_parallel_tasks: true,
  });
  // A runner takes one task at most, whatever its program offers.
  const [one, two] = [await queue.start(narrow), await queue.start(narrow)];
  const held = await limited.claim();
  assert.equal(held.task_id, one);
  const runs = [{ task_id: one, run: held.run, stop: null }];
  assert.equal((await limited.poll({ free: 1_000, runs, wait_ms: 200 })).run, null);
  assert.match(await waitOf(world, two), /is running 1 of 1 tasks/);
  // A template that does not allow it runs once at a time, on whatever runner.
  const [, again] = [await queue.start(single), await queue.start(single)];
  const first = await runner.claim();
  const listed = [{ task_id: first.task_id, run: first.run, stop: null }];
  assert.equal((await runner.poll({ free: 4, runs: listed, wait_ms: 200 })).run, null);
  assert.equal(await statusOf(queue, again), "waiting");
  // The project's limit counts tasks on all runners.
  const { body } = await world.api("alice", "GET", project(world));
  await call(world, "PUT", "", { ...body, max_parallel_tasks: 2 });
  const third = await queue.start(template);
  assert.equal((await runner.poll({ free: 4, runs: listed, wait_ms: 200 })).run, null);
  await succeed({ runner: limited }, held);
  const next = (await runner.poll({ free: 4, runs: listed, wait_ms: 20_000 })).run;
  assert.equal(next?.task_id, third);
});

Deno.test("a paused or draining runner takes no task, and ends those that it has", async () => {
  const stage = await newRemoteStage({ allow_parallel_tasks: true });
  const { queue, template, runner, world } = stage;
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  const runs = [{ task_id: id, run: run.run, stop: null }];
  const set = (state: string) =>
    world.api("erin", "POST", `/api/runners/${runner.id}/state`, { state });
  assert.equal((await set("paused")).status, 204);
  const next = await queue.start(template);
  const paused = await runner.poll({ runs, wait_ms: 200 });
  assert.deepEqual([paused.run, paused.drain, paused.stops], [null, false, []]);
  await set("draining");
  const drained = await runner.poll({ runs, wait_ms: 200 });
  assert.deepEqual([drained.run, drained.drain, drained.stops], [null, true, []]);
  await succeed(stage, run);
  assert.equal(await statusOf(queue, id), "success");
  await set("active");
  assert.equal((await runner.claim()).task_id, next);
});

Deno.test("the server's limits reach the runner with the plan", async () => {
  const config = { taskTimeLimitMs: 90_000, fullResultBytesMax: 0 };
  const { queue, template, runner } = await newRemoteStage({}, { config });
  await using _ = queue;
  await queue.start(template);
  const run = await runner.claim();
  const { plan } = await runner.open(run);
  assert.deepEqual([run.time_limit_ms, plan.fullResults], [90_000, false]);
});

Deno.test("a folder or a path of the server never reaches a runner", async () => {
  const { queue, runner, world } = await newRemoteStage();
  await using _ = queue;
  for (const git_url of ["/etc", "/srv/../etc"]) {
    const made = await call(world, "POST", "/repositories", {
      name: git_url,
      git_url,
      git_branch: "main",
      ssh_key_id: world.web.keyId,
    });
    const template = await queue.makeTemplate({
      name: `Of ${git_url}`,
      repository_id: made.id,
      runner_tag: "dmz",
    });
    const id = await queue.start(template);
    const polling = runner.poll({ wait_ms: 20_000 });
    await until(async () => (await statusOf(queue, id)) === "error");
    // The second poll ends the first.
    assert.equal((await runner.poll()).run, null);
    assert.equal((await polling).run, null);
    assert.equal((await queue.row(id)).end_reason?.key, "errors.run.folder_on_server");
  }
});

Deno.test("a runner gets a working directory, and no task that keeps files", async () => {
  const { queue, runner } = await newRemoteStage();
  await using _ = queue;
  const fields = { runner_tag: "dmz", working_directory: "site" };
  const keeping = await queue.makeTemplate({ name: "Keeps", ...fields, keep_paths: "credentials" });
  const id = await queue.start(keeping);
  const polling = runner.poll({ wait_ms: 20_000 });
  await until(async () => (await statusOf(queue, id)) === "error");
  // The second poll ends the first.
  assert.equal((await runner.poll()).run, null);
  assert.equal((await polling).run, null);
  assert.equal((await queue.row(id)).end_reason?.key, "errors.run.kept_on_runner");

  await queue.start(await queue.makeTemplate({ name: "In a folder", ...fields }));
  const { plan } = await runner.open(await runner.claim());
  assert.equal(plan.workingDirectory, "site");
});

Deno.test("members cannot choose a runner of a task by its id", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const foreign = await newTestRunner(world, { project_id: world.lab.id });
  const body = {
    template_id: template,
    runner_id: foreign.id,
    runner_name: "x",
    runner_labels: [],
  };
  const task = await call(world, "POST", "/tasks", body);
  assert.equal((await foreign.poll({ wait_ms: 200 })).run, null);
  assert.equal((await runner.claim()).task_id, task.id);
});

Deno.test("a runner that is revoked during a run loses it immediately", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  await runner.report(run, { lines: ["one"], state: STARTED });
  const revoked = await world.api("erin", "POST", `/api/runners/${runner.id}/revoke`, {});
  assert.ok(revoked.status < 300);
  await until(async () => (await statusOf(queue, id)) === "error");
  assert.equal((await queue.row(id)).end_reason?.key, "errors.run.runner_revoked");
  const late = await runner.send(`tasks/${id}/report`, {});
  assert.equal(late.status, 401);
});

Deno.test("retention removes everything of a task that ended on a runner", async () => {
  const limits = { tasksPerTemplate: 1, taskDays: 0, eventDays: 0 };
  const stage = await newRemoteStage({}, { config: { retention: limits } });
  const { queue, template, runner, world } = stage;
  await using _ = queue;
  const id = await queue.start(template);
  await succeed(stage, await runner.claim());
  await queue.start(template);
  await succeed(stage, await runner.claim());
  await storeDueDrift(world.deps);
  assert.equal((await sweepPast(world.deps)).tasks, 1);
  assert.equal(await findTask(world.kv, world.web.id, id), null);
  assert.deepEqual(await linesOf(queue, id), []);
  assert.equal((await world.kv.get(rowKeys.remoteRun(id))).value, null);
  assert.equal((await runner.report({ task_id: id, run: crypto.randomUUID() })).stop, "gone");
});

Deno.test("a store on another server ends the tasks of runners that stay with the first", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  await runner.report(run, { lines: ["one"], state: STARTED });
  using kv = await openStore(":memory:");
  for await (const { key, value } of world.kv.list({ prefix: [] })) await kv.set(key, value);
  const deps = { ...world.deps, kv, remote: createRemote({ shared: false }) };
  const dispatcher = startDispatcher(deps, { environment: {} as RunEnvironment, shared: false });
  deps.wakeDispatcher = dispatcher.wake;
  try {
    await until(async () => {
      world.clock.advance(9_000);
      dispatcher.wake();
      return (await findTask(kv, world.web.id, id))?.status === "error";
    });
  } finally {
    await dispatcher.stop(0);
  }
  assert.equal((await findTask(kv, world.web.id, id))?.end_reason?.key, "errors.run.runner_lost");
  assert.equal(await statusOf(queue, id), "running");
});
