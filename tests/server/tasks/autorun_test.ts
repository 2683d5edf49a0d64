import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { doDue, startJobs } from "@/lib/jobs/engine.ts";
import { autorunJobs, autorunWorker } from "@/lib/queue/start/autorun.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { emptyHead } from "@/lib/output/store.ts";
import { listTemplateTasks } from "@/lib/tasks/repository.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { countingReads } from "@/tests/support/basics/counting_reads.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { addTemplates } from "@/tests/support/world/many_templates.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";

/**
 * Creates a build template with deploys: one started only by hand, and some started automatically.
 */
async function makeChain(queue: Queue, automatic = 2) {
  const build = await queue.makeTemplate({ name: "Build", type: "build", start_version: "1" });
  const deploy = { type: "deploy", build_template_id: build, allow_parallel_tasks: true };
  const manual = await queue.makeTemplate({ ...deploy, name: "By hand" });
  const deploys: number[] = [];
  for (let n = 0; n < automatic; n++) {
    deploys.push(await queue.makeTemplate({ ...deploy, name: `Deploy ${n}`, autorun: true }));
  }
  return { build, manual, deploys };
}

/** Ends a task as a run does. */
async function endRun({ world, start }: Queue, template: number, how: "success" | "error") {
  const started = { id: await start(template), project_id: world.web.id };
  await advance(world.kv, started, "starting");
  const task = await advance(world.kv, started, "running");
  await endTask(world.deps, task, { how, reason: null, log: { head: emptyHead(), close() {} } });
  return task.id;
}

/** Returns the builds that the tasks of a template deploy, oldest first. */
async function deployedBy({ world }: Queue, template: number) {
  const tasks = await listTemplateTasks(world.kv, world.web.id, template, { limit: 1000 });
  return tasks.map(({ build_task_id }) => build_task_id).reverse();
}

const outbox = ({ world }: Queue) =>
  Array.fromAsync(
    world.kv.list({ prefix: rowKeys.jobsOfKind(autorunJobs.name) }),
    ({ value }) => value,
  );

Deno.test("a successful build automatically starts its deploys, and those start theirs", async () => {
  await using queue = await newQueue();
  const { build, manual, deploys } = await makeChain(queue);
  const chained = await queue.makeTemplate({
    name: "After",
    type: "deploy",
    build_template_id: deploys[0],
    autorun: true,
  });
  queue.dispatch();
  const autoruns = startJobs(queue.world.deps, [autorunWorker], { shared: false });
  const id = await queue.start(build);
  await until(async () => (await deployedBy(queue, chained)).length > 0);
  for (const template of deploys) assert.deepEqual(await deployedBy(queue, template), [id]);
  assert.deepEqual(await deployedBy(queue, manual), []);
  const [first] = await listTemplateTasks(queue.world.kv, queue.world.web.id, deploys[0], {
    limit: 1,
  });
  assert.deepEqual(await deployedBy(queue, chained), [first.id]);
  await until(async () => (await outbox(queue)).length === 0);
  await autoruns.stop();
});

Deno.test("automatic deploys read no templates but those that refer to the build", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const { build, deploys } = await makeChain(queue);
  await addTemplates(world, 300);
  const id = await endRun(queue, build, "success");
  const { kv, read } = countingReads(world.kv, ["templates"]);
  const deps = { ...world.deps, kv };
  await doDue(deps, autorunWorker);
  for (const template of deploys) assert.deepEqual(await deployedBy(queue, template), [id]);
  assert.deepEqual(await outbox(queue), []);
  assert.equal(read.rows < 60, true, `${read.rows} rows`);
});

Deno.test("a failed build starts nothing, and neither does a task that is not a build", async () => {
  await using queue = await newQueue();
  const { build, deploys } = await makeChain(queue);
  await endRun(queue, build, "error");
  await endRun(queue, await queue.makeTemplate(), "success");
  assert.deepEqual(await outbox(queue), []);
  await doDue(queue.world.deps, autorunWorker);
  assert.deepEqual(await deployedBy(queue, deploys[0]), []);
});

Deno.test("a build frees its slot immediately, before its deploys are started", async () => {
  await using queue = await newQueue({ config: { maxParallelTasks: 1 } });
  const { build } = await makeChain(queue);
  queue.dispatch();
  await queue.start(build);
  const next = await queue.start(await queue.makeTemplate());
  await until(async () => (await queue.row(next)).status === "success");
  assert.equal((await outbox(queue)).length, 1);
});

Deno.test("a server that dies at any moment loses no deploy, and starts none twice", async () => {
  await using queue = await newQueue();
  const { build, deploys } = await makeChain(queue);
  const { deps, clock } = queue.world;
  const builds: number[] = [];
  let last = false;
  for (let nth = 1; !last; nth++) {
    for (const when of ["before", "after"] as const) {
      builds.push(await endRun(queue, build, "success"));
      const dying = dieAt(deps, nth, when);
      await doDue(dying.deps, autorunWorker).catch(() => {});
      last = !dying.died();
      clock.advance(5_000);
      await doDue(deps, autorunWorker);
      for (const template of deploys) {
        assert.deepEqual(await deployedBy(queue, template), builds, `commit ${nth}, ${when}`);
      }
      assert.deepEqual(await outbox(queue), []);
    }
    assert.ok(nth < 50);
  }
  assert.ok(builds.length >= 8, "the servers died too early");
});

Deno.test("one of four servers that share the store starts a deploy", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".kv" });
  try {
    await using queue = await newQueue({ kvPath });
    const { build, deploys } = await makeChain(queue);
    const stores = await Promise.all([1, 2, 3].map(() => openStore(kvPath)));
    const servers = [queue.world.deps, ...stores.map((kv) => ({ ...queue.world.deps, kv }))];
    const builds: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      builds.push(await endRun(queue, build, "success"), await endRun(queue, build, "success"));
      await Promise.all(servers.map((deps) => doDue(deps, autorunWorker, { shared: true })));
      queue.world.clock.advance(120_000);
      await Promise.all(servers.map((deps) => doDue(deps, autorunWorker, { shared: true })));
    }
    for (const template of deploys) {
      assert.deepEqual((await deployedBy(queue, template)).toSorted(), builds.toSorted());
    }
    for (const kv of stores) kv.close();
  } finally {
    await Deno.remove(kvPath);
  }
});

Deno.test("a deploy that cannot be started is an event, and holds up no other", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const { build, deploys } = await makeChain(queue);
  const path = `/api/project/${world.web.id}`;
  const { body } = await world.api("alice", "GET", `${path}/templates/${deploys[0]}`);
  const survey_vars = [{ name: "region", title: "Region", type: "", required: true }];
  await world.api("alice", "PUT", `${path}/templates/${deploys[0]}`, { ...body, survey_vars });
  const id = await endRun(queue, build, "success");
  await doDue(world.deps, autorunWorker);
  assert.deepEqual(await deployedBy(queue, deploys[0]), []);
  assert.deepEqual(await deployedBy(queue, deploys[1]), [id]);
  const { body: events } = await world.api("alice", "GET", `${path}/events`);
  const told = events.map(({ description }: { description: string }) => description);
  assert.ok(
    told.includes("Template Deploy 0 could not be started automatically: Region is required"),
    told.join("\n"),
  );
});

Deno.test("a store that fails for a while delays a deploy; attempts on one that never recovers end", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const { build, deploys: [deploy] } = await makeChain(queue, 1);
  await endRun(queue, build, "success");
  let attempts = 0;
  const { kv } = world;
  const { get } = kv;
  // The template's row cannot be read while a task is started.
  kv.get = (key, options) => {
    if (key[0] !== "templates") return get.call(kv, key, options) as never;
    attempts++;
    throw new TypeError("the row is broken");
  };
  for (let n = 0; n < 10; n++) {
    await doDue(world.deps, autorunWorker);
    world.clock.advance(60_000);
    if (n !== 1) continue;
    assert.equal(attempts, 2);
    assert.equal((await outbox(queue)).length, 1);
  }
  kv.get = get;
  assert.equal(attempts, 4);
  assert.deepEqual(await outbox(queue), []);
  assert.deepEqual(await deployedBy(queue, deploy), []);

  const next = await endRun(queue, build, "success");
  await doDue(world.deps, autorunWorker);
  assert.deepEqual(await deployedBy(queue, deploy), [next]);
});
