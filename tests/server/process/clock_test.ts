import assert from "node:assert/strict";
import { queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { transact } from "@/lib/store/transact.ts";
import { alertWorkers, outbox } from "@/tests/support/services/alerting.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import { putJob } from "@/lib/jobs/put.ts";
import { autorunJobs, autorunWorker } from "@/lib/queue/start/autorun.ts";
import { putFiring } from "@/lib/triggers/schedules/firing.ts";
import { scheduleRows } from "@/lib/triggers/schedules/repository.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { LEASE_MS, renewLease } from "@/lib/tasks/open_tasks.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { countLooks } from "@/tests/support/basics/looks.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { isSettled, ring, startSchedules } from "@/tests/support/world/schedules.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Someone sets the clock of a machine that has been up for long, while no time passes. */
const HOUR = 3_600_000;
const [BACK, FORWARD] = [-HOUR, HOUR];

const setBy = ({ clock }: World, ms: number) => clock.set(new Date(clock.now().getTime() + ms));

const tasksOf = ({ kv, web }: World) => listTaskRows(kv, web.id, { limit: 1_000 });

/**
 * Creates an enabled schedule and a running scheduler. Times are those of the clock, on one day.
 */
async function scheduled(cron_format: string, at: string) {
  const world = await newWorld();
  const time = (text: string) => `2024-05-03T${text}:00.000Z`;
  world.clock.set(time(at));
  const path = `/api/project/${world.web.id}/schedules`;
  const form = { template_id: world.web.templateId, cron_format: `TZ=UTC ${cron_format}` };
  const { status, body } = await world.api("alice", "POST", path, form);
  assert.equal(status, 201, JSON.stringify(body));
  const start = () => startSchedules(world.deps);
  let scheduler = start();
  const nextRun = async () =>
    (await world.api("alice", "GET", `${path}/${body.id}`)).body.next_runs[0] as string;
  return {
    world,
    nextRun,
    /** Sets the clock. All tasks that are due then have been started when this returns. */
    async set(text: string) {
      world.clock.set(time(text));
      await ring(world);
      await until(() => isSettled(world));
    },
    stop: () => scheduler.stop(),
    /** Sets the clock while no server is running. */
    async restartAt(text: string) {
      await scheduler.stop();
      world.clock.set(time(text));
      scheduler = start();
    },
    comesAt: (text: string) => until(async () => await nextRun() === time(text)),
    runs: async () => (await tasksOf(world)).map(({ created }) => created.slice(11, 16)).reverse(),
    async [Symbol.asyncDispose]() {
      await scheduler.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

for (const how of ["while it runs", "while it is down"]) {
  Deno.test(`a clock set back ${how}: times every few minutes follow the new clock`, async () => {
    await using schedule = await scheduled("*/5 * * * *", "11:57");
    await schedule.set("12:00");
    if (how === "while it runs") await schedule.set("11:01");
    else await schedule.restartAt("11:01");
    await schedule.comesAt("11:05");
    await schedule.set("11:05");
    await schedule.set("11:10");
    assert.deepEqual(await schedule.runs(), ["12:00", "11:05", "11:10"]);
  });
}

Deno.test("a clock set back: an interval begins anew", async () => {
  await using schedule = await scheduled("@every 20m", "11:50");
  await schedule.set("12:10");
  await schedule.set("11:10");
  await schedule.comesAt("11:30");
  await schedule.set("11:30");
  assert.deepEqual(await schedule.runs(), ["12:10", "11:30"]);
});

Deno.test("a clock set back by an hour: a time of the day that has been comes once that day", async () => {
  await using schedule = await scheduled("30 11 * * *", "11:00");
  await schedule.set("11:30");
  await schedule.set("12:00");
  await schedule.set("11:00");
  await schedule.set("11:30");
  await schedule.set("11:31");
  assert.deepEqual(await schedule.runs(), ["11:30"]);
  assert.equal(await schedule.nextRun(), "2024-05-04T11:30:00.000Z");
});

Deno.test("a clock that was days ahead: a time of the day comes today", async () => {
  await using schedule = await scheduled("30 11 * * *", "11:00");
  schedule.world.clock.set("2024-05-09T12:00:00Z");
  await ring(schedule.world);
  await until(async () => await schedule.nextRun() === "2024-05-10T11:30:00.000Z");
  await schedule.set("11:00");
  await schedule.comesAt("11:30");
  await schedule.set("11:30");
  assert.deepEqual(await schedule.runs(), ["11:30"]);
});

Deno.test("a clock set forward: skipped times are reported as missed, and the rest comes as planned", async () => {
  await using schedule = await scheduled("*/5 * * * *", "11:57");
  await schedule.set("12:00");
  await schedule.set("13:01");
  assert.equal(await schedule.nextRun(), "2024-05-03T13:05:00.000Z");
  await schedule.set("13:05");
  assert.deepEqual(await schedule.runs(), ["12:00", "13:05"]);
});

Deno.test("a clock set back: a start that a dead server has promised is not delayed, and happens once", async () => {
  await using schedule = await scheduled("0 * * * *", "11:30");
  const { world } = schedule;
  await schedule.set("12:00");
  const [{ id, schedule_id }] = await tasksOf(world);
  await schedule.stop();
  const row = await scheduleRows.get(world.kv, world.web.id, schedule_id!);
  const op = world.kv.atomic();
  putFiring(op, world.deps, row, { started: id });
  await op.commit();
  await schedule.restartAt("10:45");
  await until(() => isSettled(world));
  await schedule.comesAt("11:00");
  await schedule.set("11:00");
  world.clock.set("2024-05-03T11:02:00.000Z");
  await ring(world);
  await until(() => isSettled(world));
  assert.deepEqual(await schedule.runs(), ["12:00", "11:00"]);
});

async function guess(world: World, password: string) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ auth: "bob", password });
  const response = await world.request("/api/auth/login", { method: "POST", headers, body });
  return [response.status, Number(response.headers.get("retry-after"))];
}

for (const by of [BACK, FORWARD]) {
  Deno.test(`a clock set ${by < 0 ? "back" : "forward"}: no one is locked out for longer than shown`, async () => {
    await using world = await newWorld();
    let told = 0;
    while (told < 30) {
      const [status, seconds] = await guess(world, "wrong");
      if (status !== 429) continue;
      told = seconds;
      if (told < 30) world.clock.advance(told * 1_000);
    }
    setBy(world, by);
    world.clock.advance(told * 1_000);
    assert.deepEqual(await guess(world, PASSWORD), [204, 0]);
  });
}

Deno.test("a clock set back does not open the door for guessing", async () => {
  await using world = await newWorld();
  for (let n = 0; n < 12; n++) {
    const [status, seconds] = await guess(world, "wrong");
    if (status === 429) world.clock.advance(seconds * 1_000);
  }
  setBy(world, BACK);
  assert.equal((await guess(world, "wrong"))[0], 401, "one, since nobody knows who has set it");
  const [status, seconds] = await guess(world, "wrong");
  assert.equal(status, 429);
  assert.ok(seconds >= 16 && seconds <= 300, String(seconds));
});

for (const by of [BACK, FORWARD]) {
  Deno.test(`a clock set ${by < 0 ? "back" : "forward"}: who is signed in stays so, and it is written down`, async () => {
    await using world = await newWorld();
    const lastActive = async () => {
      for await (
        const { value } of world.kv.list<Record<string, unknown>>({ prefix: ["sessions"] })
      ) {
        if (value.user_id === world.people.bob.id) return value.last_active;
      }
    };
    const made = (await world.api("bob", "POST", "/api/user/tokens", { name: "ci" })).body.id;
    const useToken = () =>
      world.request("/api/user", { headers: { Authorization: `Bearer ${made}` } });
    assert.equal((await useToken()).status, 200);
    setBy(world, by);
    assert.equal((await world.api("bob", "GET", "/api/user")).status, 200);
    assert.equal((await useToken()).status, 200);
    const now = world.clock.now().toISOString();
    assert.equal(await lastActive(), now);
    assert.equal((await world.api("bob", "GET", "/api/user/tokens")).body[0].last_used, now);
  });
}

/** Creates a task that another server runs, and a dispatcher of this server. */
async function elsewhere(world: World) {
  const bench = await newRunBench();
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
  });
  const task = { id: body.id as number, project_id: world.web.id };
  let renewals = 0;
  const lease = () => ({ owner: "another server", until: Date.UTC(2024, 4, 2) + ++renewals });
  await advance(world.kv, task, "starting", {}, { lease: lease() });
  const dispatcher = startDispatcher(world.deps, {
    environment: bench.environment,
    shared: true,
  });
  const looks = countLooks(world.kv);
  return {
    renew: () => renewLease(world.kv, task.id, lease()),
    status: async () => (await getTaskRow(world.kv, task.project_id, task.id)).status,
    /** Lets time pass until the dispatcher has looked. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 5_000) {
        world.clock.advance(5_000);
        const before = looks();
        dispatcher.wake();
        await until(() => looks() > before);
      }
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.stop(0);
      await bench[Symbol.asyncDispose]();
    },
  };
}

for (const by of [BACK, 0, FORWARD]) {
  Deno.test(`leases hold and run out whatever the clocks say: ${by / HOUR} hours`, async () => {
    await using world = await newWorld();
    await using task = await elsewhere(world);
    await task.pass(10_000);
    setBy(world, by);
    for (let n = 0; n < 10; n++) {
      await task.pass(10_000);
      assert.equal(await task.renew(), true, "its server lives");
    }
    await task.pass(LEASE_MS - 10_000);
    assert.equal(await task.status(), "starting");
    await task.pass(20_000);
    await until(async () => await task.status() === "error");
  });
}

Deno.test("while the store was away no one could renew a lease: that does not count", async () => {
  await using world = await newWorld();
  await using task = await elsewhere(world);
  await task.pass(10_000);
  world.clock.advance(10 * 60_000);
  await task.pass(5_000);
  assert.equal(await task.status(), "starting");
  assert.equal(await task.renew(), true);
});

Deno.test("a clock set back: automatic deploys that wait are started", async () => {
  await using world = await newWorld();
  const op = world.kv.atomic();
  putJob(op, world, autorunJobs, { project_id: world.web.id, task_id: 999, after: 0 });
  await op.commit();
  world.clock.set(new Date(world.clock.now().getTime() - HOUR));
  const loop = startJobs(world.deps, [autorunWorker], { shared: false });
  // A deleted task cannot be started. The test only needs to see that the schedule was processed.
  await until(async () =>
    (await Array.fromAsync(world.kv.list({ prefix: rowKeys.jobs() }))).length === 0
  );
  await loop.stop();
});

Deno.test("a clock set back: alerts that wait are sent", async () => {
  let calls = 0;
  await using receiver = Deno.serve({ port: 0, onListen() {} }, () => {
    calls++;
    return new Response();
  });
  const environment: Record<string, string> = {
    CALLBOARD_WEBHOOK_URL: `http://127.0.0.1:${receiver.addr.port}`,
  };
  const alerts = readAlertSettings((name) => environment[name], (name, must) => {
    throw new Error(`${name} ${must}`);
  });
  await using world = await newWorld({ config: { alerts } });
  await world.api("alice", "PUT", `/api/project/${world.web.id}`, { name: "Web", alert: true });
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
  });
  const task = { ...await getTaskRow(world.kv, world.web.id, body.id), status: "error" as const };
  await transact(world.kv, (op) => queueTaskAlert(op, world.deps, task));
  setBy(world, BACK);
  const loop = startJobs(world.deps, alertWorkers, { shared: false });
  await until(() => calls === 1);
  await until(async () => (await outbox(world)).length === 0);
  await loop.stop();
});
