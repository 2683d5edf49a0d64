import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { scheduleRows } from "@/lib/triggers/schedules/repository.ts";
import { createSchedule } from "@/lib/triggers/schedules/service.ts";
import { scheduleForm } from "@/lib/triggers/schedules/schema.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Deps } from "@/lib/access/deps.ts";
import type { DueRow } from "@/lib/triggers/schedules/schema.ts";
import { takeDue } from "@/lib/triggers/schedules/take.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { doFirings, startSchedules } from "@/tests/support/world/schedules.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { until } from "@/tests/support/basics/until.ts";

const HOURS = 12;
const SCHEDULES = 10;

const tasksOf = ({ kv, web }: World) => listTaskRows(kv, web.id, { limit: 1_000 });
const ring = (world: World) => world.kv.set(rowKeys.schedulerWake(), crypto.randomUUID());

/** Waits until every schedule was processed and is next due at `hour`. */
function comesNext({ kv, web }: World, hour: number): Promise<void> {
  const next = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
  return until(async () =>
    (await scheduleRows.list(kv, web.id)).every(({ next_at }) => next_at === next)
  );
}

Deno.test("four schedulers on one store start each run once", async () => {
  await using world = await newWorld();
  const { deps, web, people } = world;
  world.clock.set("2026-01-01T00:30:00Z");
  for (let n = 0; n < SCHEDULES; n++) {
    const form = scheduleForm.parse({ template_id: web.templateId, cron_format: "TZ=UTC @hourly" });
    await createSchedule(
      await openProject({ deps, actor: people.alice.actor }, web.id, "manage_triggers"),
      form,
    );
  }
  const schedulers = Array.from({ length: 4 }, () => startSchedules(deps));
  try {
    for (let hour = 1; hour <= HOURS; hour++) {
      world.clock.set(new Date(Date.UTC(2026, 0, 1, hour)));
      await ring(world);
      await comesNext(world, hour + 1);
      await until(async () => (await tasksOf(world)).length >= hour * SCHEDULES);
    }
  } finally {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  }
  const runs = (await tasksOf(world)).map(({ schedule_id, created }) =>
    `${schedule_id} ${created}`
  );
  assert.equal(new Set(runs).size, runs.length, "a run was started twice");
  assert.equal(runs.length, HOURS * SCHEDULES);
});

Deno.test("a schedule that is edited while it comes due runs at most once a time", async () => {
  await using world = await newWorld();
  const { deps, web, people } = world;
  const form = scheduleForm.parse({ template_id: web.templateId, cron_format: "TZ=UTC @hourly" });
  world.clock.set("2026-01-01T00:30:00Z");
  const { id } = await createSchedule(
    await openProject({ deps, actor: people.alice.actor }, web.id, "manage_triggers"),
    form,
  );
  const schedulers = Array.from({ length: 2 }, () => startSchedules(deps));
  try {
    for (let hour = 1; hour <= HOURS; hour++) {
      world.clock.set(new Date(Date.UTC(2026, 0, 1, hour)));
      const body = { ...form, name: `edit ${hour}` };
      await Promise.all([
        ring(world),
        world.api("alice", "PUT", `/api/project/${web.id}/schedules/${id}`, body),
      ]);
      await comesNext(world, hour + 1);
      await until(async () => (await tasksOf(world)).length >= hour);
    }
  } finally {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  }
  const created = (await tasksOf(world)).map((task) => task.created);
  assert.equal(new Set(created).size, created.length, "a run was started twice");
  assert.equal(created.length, HOURS);
});

Deno.test("a server that dies at any commit of a time starts its task once", async () => {
  await using world = await newWorld();
  const { deps, web, people, kv, clock } = world;
  clock.set("2026-01-01T00:30:00Z");
  const form = scheduleForm.parse({
    ...{ template_id: web.templateId, cron_format: "TZ=UTC @hourly", missed: "run_once" },
  });
  const scope = { deps, actor: people.alice.actor };
  const { id } = await createSchedule(await openProject(scope, web.id, "manage_triggers"), form);
  const work = async (by: Deps) => {
    const end = rowKeys.schedulesDueUntil(new Date(clock.now().getTime() + 1).toISOString());
    const prefix = rowKeys.schedulesDue();
    for await (const due of kv.list<DueRow>({ prefix, end })) await takeDue(by, due, clock.now());
    await doFirings(by);
  };
  let [hour, isOver] = [0, false];
  for (let nth = 1; !isOver; nth++) {
    for (const when of ["before", "after"] as const) {
      clock.set(new Date(Date.UTC(2026, 0, 1, ++hour)));
      const dying = dieAt(deps, nth, when);
      await work(dying.deps).catch(() => {});
      isOver = !dying.died();
      clock.set(new Date(clock.now().getTime() + 5 * 60_000));
      await work(deps);
      const tasks = await tasksOf(world);
      assert.equal(tasks.length, hour, `commit ${nth}, ${when}`);
      assert.equal((await scheduleRows.get(kv, web.id, id)).last_task_id, tasks[0].id);
    }
    assert.ok(nth < 20);
  }
});

Deno.test("a schedule created while its template is deleted never outlives it", async () => {
  await using world = await newWorld();
  const { web, kv } = world;
  const templates = `/api/project/${web.id}/templates`;
  const { body: model } = await world.api("alice", "GET", `${templates}/${web.templateId}`);
  let refused = 0;
  for (let pair = 0; pair < 50; pair++) {
    const { id, ...form } = { ...model, name: `short-lived ${pair}` };
    const made = await world.api("alice", "POST", templates, form);
    const template_id = made.body.id;
    assert.notEqual(template_id, id);
    const schedule = { template_id, cron_format: "@daily" };
    const [gone, added] = await Promise.all([
      world.api("alice", "DELETE", `${templates}/${template_id}`),
      world.api("alice", "POST", `/api/project/${web.id}/schedules`, schedule),
    ]);
    assert.equal(gone.status, 204);
    assert.ok([201, 404].includes(added.status), JSON.stringify(added.body));
    if (added.status === 404) refused++;
  }
  assert.ok(refused > 0, "the two never met");
  assert.deepEqual(await scheduleRows.list(kv, web.id), []);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: rowKeys.schedulesDue() })), []);
});
