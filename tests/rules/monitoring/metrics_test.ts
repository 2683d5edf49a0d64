import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { countAttempts } from "@/lib/monitoring/metrics/jobs.ts";
import { countEvents } from "@/lib/monitoring/metrics/follow.ts";
import { createMetrics } from "@/lib/monitoring/metrics/metrics.ts";
import { createStore } from "@/lib/store/store.ts";
import { watchCalls } from "@/lib/monitoring/metrics/watch_calls.ts";
import { watchEventLoop } from "@/lib/monitoring/metrics/watch_loop.ts";
import { taskChanged } from "@/lib/tasks/changes.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { putHosts, setAside } from "@/tests/support/world/jobs.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const TOKEN = "token-of-prometheus";
const watched = { config: { metricsToken: TOKEN } };

async function scrape(world: World): Promise<Map<string, number>> {
  const response = await world.request("/metrics", {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type")!, /^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(lines.map((line) => {
    const at = line.lastIndexOf(" ");
    return [line.slice(0, at), Number(line.slice(at + 1))];
  }));
}

const start = async (world: World) =>
  startTask(
    await openProject(
      { deps: world.deps, actor: world.people.bob.actor },
      world.web.id,
      "run_tasks",
    ),
    parseStart({ template_id: world.deploy.id }),
  );

Deno.test("metrics are off without a token, and for its bearer alone with one", async () => {
  await using world = await newWorld();
  const ask = async (world: World, headers?: HeadersInit) =>
    (await world.request("/metrics", { headers })).status;
  assert.equal(await ask(world), 404);
  assert.equal(await ask(world, { Authorization: "Bearer " }), 404);
  await using other = await newWorld(watched);
  assert.equal(await ask(other), 401);
  assert.equal(await ask(other, { Authorization: "Bearer wrong" }), 401);
  assert.equal(await ask(other, { Authorization: `Bearer ${TOKEN}` }), 200);
  const admin = await other.get("erin", "/metrics");
  assert.equal(admin.status, 401);
});

Deno.test("metrics have the queue, its wait, starts, ends and output", async () => {
  await using world = await newWorld(watched);
  const unfollow = countEvents(world.deps, world.deps.metrics);
  const { id } = await start(world);
  await start(world);
  world.clock.advance(2_000);
  const waiting = await scrape(world);
  assert.equal(waiting.get('callboard_tasks{status="waiting"}'), 2);
  assert.equal(waiting.get("callboard_queue_oldest_wait_seconds"), 2);
  assert.equal(waiting.get("callboard_task_start_seconds_count"), 0);

  const task = { id, project_id: world.web.id };
  const { kv, hub, clock } = world.deps;
  await advance(kv, task, "starting");
  const started = clock.now().toISOString();
  taskChanged(world.deps, await advance(kv, task, "running", { start: started }));
  await until(async () => (await scrape(world)).get("callboard_task_start_seconds_count") === 1);
  const writer = createLogWriter({ kv, hub, clock, projectId: world.web.id, taskId: id });
  for (const line of ["one", "zwölf"]) writer.write(line);
  await writer.flush();
  world.clock.advance(30_000);
  const end = clock.now().toISOString();
  taskChanged(world.deps, await advance(kv, task, "success", { end }));
  await until(async () => (await scrape(world)).get("callboard_task_start_seconds_count") === 1);
  const ended = await scrape(world);
  assert.equal(ended.get("callboard_task_start_seconds_sum"), 2);
  assert.equal(ended.get("callboard_task_run_seconds_sum"), 30);
  assert.equal(ended.get('callboard_tasks_ended_total{status="success"}'), 1);
  assert.equal(ended.get("callboard_log_lines_total"), 2);
  assert.equal(ended.get("callboard_log_bytes_total"), 4 + 7);
  assert.equal(ended.get('callboard_tasks{status="waiting"}'), 1);
  unfollow();
});

Deno.test("two servers in one process count for themselves", async () => {
  await using one = await newWorld(watched);
  await using two = await newWorld(watched);
  one.deps.metrics.logLines.inc(5);
  assert.equal((await scrape(one)).get("callboard_log_lines_total"), 5);
  assert.equal((await scrape(two)).get("callboard_log_lines_total"), 0);
});

Deno.test("a healthy server says so to everyone", async () => {
  await using world = await newWorld();
  const { status, body, headers } = await world.api(null, "GET", "/api/health");
  assert.equal(status, 200);
  assert.equal(body.status, "ok");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(body.checks.store, { ok: true, reason: null });
});

Deno.test("problems are reported with their reason", async () => {
  await using world = await newWorld({ deps: { ansibleVersion: null } });
  await start(world);
  world.clock.advance(3 * 60_000);
  const due = new Date(world.clock.now().getTime() - 120_000).toISOString();
  await world.kv.set(rowKeys.scheduleDue(due, 1), { project_id: 1 });
  const { status, body } = await world.api(null, "GET", "/api/health");
  assert.equal(status, 200);
  assert.equal(body.status, "degraded");
  assert.match(body.checks.ansible.reason, /Ansible is not installed/);
  assert.match(body.checks.queue.reason, /been waiting for 180 seconds/);
  assert.match(body.checks.schedules.reason, /120 seconds late/);
  assert.equal(body.checks.alerts.ok, true);
});

Deno.test("without its store a server is failing", async () => {
  await using world = await newWorld();
  const kv = new Proxy(world.kv, {
    get(target, property) {
      if (property === "list") throw new Error("disk I/O error at /secret/path");
      const member = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  world.deps.kv = kv;
  const { status, body } = await world.api(null, "GET", "/api/health");
  assert.equal(status, 503);
  assert.equal(body.status, "failing");
  assert.equal(body.checks.store.reason, "The database does not respond.");
  assert.ok(!JSON.stringify(body).includes("/secret/path"));
});

Deno.test("metrics say that the store is away, and have no values of it", async () => {
  await using world = await newWorld(watched);
  const before = await scrape(world);
  assert.equal(before.get("callboard_store_up"), 1);
  assert.equal(before.get('callboard_tasks{status="waiting"}'), 0);
  world.deps.kv = new Proxy(world.kv, {
    get(target, property) {
      if (property === "list") throw new Error("disk I/O error");
      const member = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const away = await scrape(world);
  assert.equal(away.get("callboard_store_up"), 0);
  for (const name of ["queue_oldest_wait_seconds", 'tasks{status="waiting"}']) {
    assert.equal(away.get(`callboard_${name}`), undefined, name);
  }
  assert.ok(away.get("callboard_memory_bytes")! > 0);
});

Deno.test("background work is measured by kind, and attempts by their result", async () => {
  await using world = await newWorld(watched);
  const onAttempt = countAttempts(world.deps.metrics, world.deps.workers);
  const attempts = (found: Map<string, number>, result: string) =>
    found.get(`callboard_job_attempts_total{kind="hosts",result="${result}"}`);
  assert.equal(attempts(await scrape(world), "set_aside"), 0);
  await setAside(world, { onAttempt });
  await putHosts(world, 8);
  world.clock.advance(61_000);
  const found = await scrape(world);
  const jobs = ["waiting", "running", "late", "set_aside"].map((state) =>
    found.get(`callboard_jobs_${state}{kind="hosts"}`)
  );
  assert.deepEqual(jobs, [1, 0, 1, 1]);
  const results = ["done", "failed", "set_aside"].map((result) => attempts(found, result));
  assert.deepEqual(results, [0, 1, 1]);
});

Deno.test("requests are counted by status, and strange methods as one", async () => {
  await using world = await newWorld(watched);
  await world.get(null, "/auth/login");
  await world.api(null, "GET", "/api/user");
  for (const method of ["BREW", "TEA"]) await world.request("/", { method });
  const found = await scrape(world);
  assert.equal(found.get('callboard_http_requests_total{method="GET",code="200"}'), 1);
  assert.equal(found.get('callboard_http_requests_total{method="GET",code="401"}'), 1);
  assert.equal(found.get('callboard_http_requests_total{method="other",code="405"}'), 2);
  assert.equal(found.get('callboard_http_request_seconds_count{kind="api"}'), 1);
});

Deno.test("reads, writes and failures of the store are measured", async () => {
  await using world = await newWorld(watched);
  const { metrics } = world.deps;
  const failing = () => Promise.reject(new Error("no answer"));
  const opened = Object.assign(await Deno.openKv(":memory:"), { delete: failing });
  const kv = createStore(opened, watchCalls(metrics));
  await kv.set(["a"], 1);
  await kv.atomic().set(["b"], 2).commit();
  assert.equal((await kv.get(["b"])).value, 2);
  await assert.rejects(kv.delete(["a"]), /no answer/);
  kv.close();
  const found = await scrape(world);
  const count = (operation: string) =>
    found.get(`callboard_store_operation_seconds_count{operation="${operation}"}`);
  assert.deepEqual([count("read"), count("write")], [1, 3]);
  assert.equal(found.get('callboard_store_errors_total{operation="write"}'), 1);
  assert.equal(found.get('callboard_store_errors_total{operation="read"}'), 0);
});

Deno.test("a blocked event loop is measured", async () => {
  const metrics = createMetrics();
  const end = watchEventLoop(metrics);
  const mark = performance.now();
  while (performance.now() - mark < 900);
  await until(async () => (await metrics.loopDelay.get()).values.some(({ value }) => value > 0));
  end();
  const { values } = await metrics.loopDelay.get();
  assert.ok(values.find(({ metricName }) => metricName?.endsWith("_sum"))!.value > 0.3);
});

Deno.test("a check is not counted as a task that has ended", async () => {
  await using world = await newWorld(watched);
  const unfollow = countEvents(world.deps, world.deps.metrics);
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}/check`;
  const { body } = await world.api("bob", "POST", path);
  for (const { id } of [body, await start(world)]) {
    const task = { id, project_id: world.web.id };
    for (const status of ["starting", "running", "error"] as const) {
      taskChanged(world.deps, await advance(world.kv, task, status));
    }
  }
  unfollow();
  assert.equal((await scrape(world)).get('callboard_tasks_ended_total{status="error"}'), 1);
});

Deno.test("templates beyond the first 200 are counted together", async () => {
  await using world = await newWorld(watched);
  const unfollow = countEvents(world.deps, world.deps.metrics);
  for (let id = 1; id <= 250; id++) {
    world.deps.hub.publish({
      ...{ type: "update", project_id: 1, task_id: id, template_id: id, status: "error" },
      ...{ start: null, end: null, version: null },
    });
  }
  unfollow();
  const found = await scrape(world);
  const ends = [...found.keys()].filter((name) => name.includes("template_tasks_ended"));
  assert.equal(ends.length, 201);
  const others = 'callboard_template_tasks_ended_total{project="0",template="0",status="error"}';
  assert.equal(found.get(others), 50);
});
