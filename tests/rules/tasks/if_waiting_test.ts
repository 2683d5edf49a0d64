import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "@/lib/access/scope.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { createHub } from "@/lib/base/hub.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { startByPolicy } from "@/lib/queue/start/start_by_policy.ts";
import { listOpenTasks } from "@/lib/tasks/open_tasks.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { scheduleRows } from "@/lib/triggers/schedules/repository.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { fireSchedule } from "@/tests/support/world/schedules.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

type Body = Record<string, unknown>;

/** Creates an integration with several addresses, because each takes only so many calls. */
async function make(world: World, form: Body) {
  const path = `/api/project/${world.web.id}/integrations`;
  const made = { name: "Push", template_id: world.web.templateId, auth_method: "none", ...form };
  const { body: { id } } = await world.api("alice", "POST", path, made);
  const urls: string[] = [];
  for (let n = 0; n < 4; n++) {
    urls.push((await world.api("alice", "POST", `${path}/${id}/aliases`)).body.url);
  }
  const call = async (n = 0) => {
    const address = new URL(urls[n % urls.length]).pathname;
    return (await readAnswer(await world.request(address, { method: "POST" }))).body;
  };
  return { id, path: `${path}/${id}`, call };
}

async function run(world: World, id: number) {
  const task = { id, project_id: world.web.id };
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
}

const waiting = async (world: World) =>
  (await listOpenTasks(world.kv)).filter(({ status }) => status === "waiting").map(({ id }) => id);

Deno.test("of 200 parallel calls, one runs and one waits", async () => {
  await using world = await newWorld();
  const { path, call } = await make(world, { if_waiting: "one" });
  const first = await call();
  await run(world, first.tasks[0].id);
  const answers = await Promise.all(Array.from({ length: 199 }, (_, n) => call(n)));
  const results = answers.map(({ results: [{ result }] }) => result);
  assert.equal(results.filter((result) => result === "started").length, 1);
  assert.equal(results.filter((result) => result === "skipped").length, 198);
  const [id] = await waiting(world);
  assert.equal((await listOpenTasks(world.kv)).length, 2);
  const skipped = answers.find(({ results: [{ result }] }) => result === "skipped");
  assert.deepEqual([skipped.tasks, skipped.error], [[], undefined]);
  const reason = `Task #${id} is still waiting, so no other task was started.`;
  assert.equal(skipped.results[0].reason, reason);
  const { body: deliveries } = await world.api("alice", "GET", `${path}/deliveries`);
  assert.equal(deliveries.filter(({ reason: its }: Body) => its === reason).length >= 98, true);
});

Deno.test("the latest call replaces the task that waits, and no other", async () => {
  await using world = await newWorld();
  const { call } = await make(world, { if_waiting: "latest" });
  const [{ id: running }] = (await call()).tasks;
  await run(world, running);
  const [{ id: early }] = (await call()).tasks;
  const late = await call();
  assert.equal(late.results[0].reason, `Replaced task #${early}, which was waiting`);
  assert.deepEqual(await waiting(world), [late.tasks[0].id]);
  const path = `/api/project/${world.web.id}/tasks`;
  const { body: ended } = await world.api("bob", "GET", `${path}/${early}`);
  assert.equal(ended.status, "stopped");
  assert.equal(ended.end_reason, "A later task replaced this one while it was waiting.");
  assert.equal((await world.api("bob", "GET", `${path}/${running}`)).body.status, "running");
  await Promise.all(Array.from({ length: 10 }, (_, n) => call(n)));
  assert.equal((await waiting(world)).length, 1);
});

Deno.test("without a choice, each call starts a task, and clients keep the choice", async () => {
  await using world = await newWorld();
  const { path, call } = await make(world, {});
  assert.equal((await world.api("alice", "GET", path)).body.if_waiting, "all");
  for (let n = 0; n < 3; n++) assert.equal((await call()).results[0].reason, null);
  assert.equal((await waiting(world)).length, 3);
  const form = { name: "Push", template_id: world.web.templateId };
  await world.api("alice", "PUT", path, { ...form, if_waiting: "latest" });
  await world.api("alice", "PUT", path, form);
  assert.equal((await world.api("alice", "GET", path)).body.if_waiting, "latest");
  assert.equal((await world.api("alice", "PUT", path, { ...form, if_waiting: "two" })).status, 400);
});

Deno.test("a server that dies at any moment while it replaces a task leaves one waiting", async () => {
  await using world = await newWorld();
  const { deps, kv, web } = world;
  const { id } = await make(world, { if_waiting: "latest" });
  const actor = { kind: "integration", id, name: "Push", projectId: web.id } as const;
  const form = parseStart({ template_id: web.templateId });
  const start = async (from: Deps) =>
    await startByPolicy(
      await openProject({ deps: from, actor }, web.id, "run_tasks"),
      form,
      "latest",
    );
  await start(deps);
  let isOver = false;
  for (let nth = 1; !isOver; nth++) {
    for (const when of ["before", "after"] as const) {
      const dying = dieAt(deps, nth, when);
      await start(dying.deps).catch(() => {});
      isOver = !dying.died();
      const [own, ...more] = await waiting(world);
      assert.ok(own && more.length === 0, `commit ${nth}, ${when}`);
      const last = await kv.get<{ id: number }>(rowKeys.lastTask(web.id, web.templateId));
      assert.equal(last.value?.id, own);
    }
    assert.ok(nth < 20);
  }
});

Deno.test("two servers together leave one task waiting, whichever policy holds", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_waiting_" });
  const kvPath = join(home, "callboard.kv");
  const world = await newWorld({ kvPath });
  const kv = await openStore(kvPath);
  try {
    const other: Deps = { ...world.deps, kv, hub: createHub() };
    for (const policy of ["one", "latest"] as const) {
      const { id } = await make(world, { if_waiting: policy });
      const actor = { kind: "integration", id, name: "Push", projectId: world.web.id } as const;
      const starts = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, n) => {
          const deps = n % 2 === 0 ? world.deps : other;
          const scope = await openProject({ deps, actor }, world.web.id, "run_tasks");
          return await startByPolicy(
            scope,
            parseStart({ template_id: world.web.templateId }),
            policy,
          );
        }),
      );
      const started = starts.filter((start) =>
        start.status === "fulfilled" && "task" in start.value
      );
      if (policy === "one") assert.equal(started.length, 1);
      const own = await waiting(world);
      assert.equal(own.length, 1, policy);
      await run(world, own[0]);
    }
  } finally {
    kv.close();
    await world[Symbol.asyncDispose]();
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("a schedule skips its times while its last task waits, which is one event", async () => {
  await using world = await newWorld();
  const { body: { id } } = await world.api(
    "alice",
    "POST",
    `/api/project/${world.web.id}/schedules`,
    {
      template_id: world.deploy.id,
      cron_format: "0 3 * * *",
      name: "Often",
      active: true,
      if_waiting: "one",
    },
  );
  const path = `/api/project/${world.web.id}/schedules/${id}`;
  const time = async () => {
    const row = await scheduleRows.get(world.kv, world.web.id, id);
    await fireSchedule(world.deps, row);
    return (await world.api("carol", "GET", path)).body;
  };
  const { last_task_id, last_skipped_at } = await time();
  assert.equal(last_skipped_at, null);
  assert.ok((await time()).last_skipped_at);
  const again = await time();
  assert.deepEqual([again.last_task_id, again.last_error], [last_task_id, null]);
  const { body: events } = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  const skipped = events.filter(({ description }: { description: string }) =>
    description.includes("did not start a task")
  );
  assert.equal(skipped.length, 1);
  await run(world, last_task_id);
  const next = await time();
  assert.deepEqual([next.last_task_id > last_task_id, next.last_skipped_at], [true, null]);
});
