import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { holdHistory, insertTask } from "@/lib/tasks/insert.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { deleteTemplateTasks, removeTask } from "@/lib/maintenance/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { successRate } from "@/lib/tasks/trends/schema.ts";
import { readDays } from "@/lib/tasks/trends/service.ts";
import { sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import { nextIds } from "@/lib/store/ids.ts";
import { transact } from "@/lib/store/transact.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const statsOf = async ({ api, web }: World, query = "", of = "") => {
  const { status, body } = await api("carol", "GET", `/api/project/${web.id}${of}/stats?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

async function start({ api, web, kv, deploy }: World): Promise<TaskRow> {
  const body = { template_id: deploy.id };
  const answer = await api("bob", "POST", `/api/project/${web.id}/tasks`, body);
  return await getTaskRow(kv, web.id, answer.body.id);
}

/** Stores a finished task, as an import does. */
async function ended({ kv }: World, model: TaskRow, change: Partial<TaskRow>): Promise<TaskRow> {
  const [id] = await nextIds(kv, "tasks", 1);
  const task = { ...model, status: "success", ...change, id } as const;
  await transact(kv, async (op) => insertTask(op, await holdHistory(kv, op, task), task));
  return task;
}

const daysOf = async ({ deps, people, web }: World, zone: string) => {
  const days = await readDays(
    await openProject({ deps, actor: people.carol.actor }, web.id),
    zone,
  );
  assert.equal(days.length, 30);
  return Object.fromEntries(
    days.filter(({ counts }) => Object.values(counts).some((count) => count > 0))
      .map(({ day, counts: { success, error, stopped } }) => [day, [success, error, stopped]]),
  );
};

Deno.test("the runs of each day are counted by how they ended, as newer clients ask for it", async () => {
  await using world = await newWorld();
  const { people, deploy, lab } = world;
  const task = await start(world);
  assert.deepEqual(await statsOf(world), []);
  await advance(world.kv, task, "starting", { start: "2024-05-02T10:11:12.000Z" });
  await advance(world.kv, task, "error", { end: "2024-05-02T10:11:32.000Z" });
  const at = (created: string, more: Partial<TaskRow> = {}) =>
    ended(world, task, { created, start: null, end: null, ...more });
  await at("2024-04-30T23:59:59.000Z", { user_id: people.mike.id });
  await at("2024-05-02T00:00:00.000Z", { template_id: deploy.id + 1_000 });
  await at("2024-05-02T23:59:59.999Z", { user_id: null, status: "stopped" });

  const april = { date: "2024-04-30", count_by_status: { success: 1 }, avg_duration: 0 };
  const counts = { error: 1, stopped: 1, success: 1 };
  const may = { date: "2024-05-02", count_by_status: counts, avg_duration: 10 };
  assert.deepEqual(await statsOf(world), [april, may]);
  assert.deepEqual(await statsOf(world, "start=&end=&user_id="), [april, may]);
  assert.deepEqual(await statsOf(world, "start=2024-05-01"), [may]);
  assert.deepEqual(await statsOf(world, "start=2024-04-30&end=2024-05-02"), [april]);
  assert.deepEqual(await statsOf(world, `user_id=${people.mike.id}`), [april]);
  assert.deepEqual(await statsOf(world, "user_id=999"), []);
  assert.deepEqual(await statsOf(world, "start=2024-05-01", `/templates/${deploy.id}`), [
    { date: "2024-05-02", count_by_status: { error: 1, stopped: 1 }, avg_duration: 20 },
  ]);
  for (const query of ["start=yesterday", "end=2024-13-01", "user_id=bob"]) {
    const path = `/api/project/${world.web.id}/stats?${query}`;
    const { status, body } = await world.api("carol", "GET", path);
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), new RegExp(query.split("=")[0]));
  }
  const foreign = `/api/project/${lab.id}/templates/${deploy.id}/stats`;
  assert.equal((await world.api("dave", "GET", foreign)).status, 404);
});

Deno.test("days are those of the reader, where a day begins at a quarter to an hour too", async () => {
  await using world = await newWorld();
  const task = await start(world);
  // Midnight in Kathmandu is at a quarter past six in the evening before, in UTC.
  for (const created of ["2024-05-01T18:14:59.999Z", "2024-05-01T18:15:00.000Z"]) {
    await ended(world, task, { created });
  }
  await ended(world, task, { created: "2024-05-02T09:00:00.000Z", status: "error" });
  await ended(world, task, { created: "2024-03-01T09:00:00.000Z", status: "error" });
  assert.deepEqual(await daysOf(world, "Asia/Kathmandu"), {
    "2024-05-01": [1, 0, 0],
    "2024-05-02": [1, 1, 0],
  });
  assert.deepEqual(await daysOf(world, "UTC"), {
    "2024-05-01": [2, 0, 0],
    "2024-05-02": [0, 1, 0],
  });
  assert.deepEqual(await daysOf(world, "Pacific/Kiritimati"), { "2024-05-02": [2, 1, 0] });
});

Deno.test("a rate counts runs that were not stopped, and is missing without any", () => {
  const counts = (success: number, error: number, stopped: number) => [{
    counts: { success, error, stopped },
  }];
  assert.equal(successRate(counts(3, 1, 10)), 0.75);
  assert.equal(successRate(counts(0, 0, 2)), null);
});

Deno.test("counts stay when runs are deleted, and go with their template or with time", async () => {
  await using world = await newWorld();
  const { kv, web, deploy, deps, clock } = world;
  const task = await start(world);
  const gone = await ended(world, task, { created: "2024-05-01T10:00:00.000Z" });
  await removeTask(kv, gone);
  const before = await statsOf(world);
  assert.deepEqual(before[0].count_by_status, { success: 1 });
  const of = `/templates/${deploy.id}`;
  assert.deepEqual(await statsOf(world, "", of), before);

  await advance(kv, task, "stopped");
  await deleteTemplateTasks(kv, web.id, deploy.id);
  assert.deepEqual(await statsOf(world, "", of), []);
  assert.equal((await statsOf(world)).length, 2);

  const rows = async (kind: string) =>
    (await Array.fromAsync(kv.list({ prefix: [kind, web.id] }))).length;
  const sweepAt = async (time: string) => {
    const now = clock.now();
    clock.set(time);
    await sweepPast(deps);
    clock.set(now);
  };
  await sweepAt("2024-07-01T00:00:00Z");
  assert.equal(await rows("runs_by_quarter"), 0);
  assert.equal((await statsOf(world)).length, 2);
  await sweepAt("2025-06-06T00:00:00Z");
  assert.deepEqual((await statsOf(world)).map(({ date }: { date: string }) => date), [
    "2024-05-02",
  ]);
});

Deno.test("each run is counted once, however many end in parallel", async () => {
  await using world = await newWorld();
  const tasks = await Promise.all(Array.from({ length: 20 }, () => start(world)));
  const ends = tasks.flatMap((task) => [
    advance(world.kv, task, "stopped"),
    advance(world.kv, task, "error"),
  ]);
  const lost = (await Promise.allSettled(ends)).filter(({ status }) => status === "rejected");
  assert.equal(lost.length, 20);
  const [{ count_by_status: { stopped = 0, error = 0 } }] = await statsOf(world);
  assert.equal(stopped + error, 20);
});
