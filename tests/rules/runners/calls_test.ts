import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { callRunners, startRunnerCalls } from "@/lib/queue/waiting/call_runners.ts";
import type { RunnerWait } from "@/lib/tasks/waiting/placement.ts";
import { listOpenTasks } from "@/lib/tasks/open_tasks.ts";
import { newTestRunner } from "@/tests/support/world/test_runner.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { sendAlerts } from "@/tests/support/services/alerting.ts";

/** Creates a world with an address that is called for runners, and records the calls. */
async function callingWorld() {
  const calls: { text: string; signature: string | null }[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (req) => {
    const signature = req.headers.get("X-Callboard-Signature");
    calls.push({ text: await req.text(), signature });
    return new Response();
  });
  const environment: Record<string, string> = {
    CALLBOARD_RUNNER_WEBHOOK: `http://127.0.0.1:${server.addr.port}/`,
    CALLBOARD_RUNNER_WEBHOOK_SECRET: "hush",
  };
  const alerts = readAlertSettings((name) => environment[name], (name) => {
    throw new Error(name);
  });
  const world = await newWorld({ config: { alerts } });
  return {
    world,
    calls,
    /** Sends what is due. */
    send: () => sendAlerts(world.deps),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}

async function startLabelled(world: World): Promise<number> {
  const project = `/api/project/${world.web.id}`;
  const path = `${project}/templates/${world.deploy.id}`;
  const { body } = await world.api("alice", "GET", path);
  await world.api("alice", "PUT", path, { ...body, runner_tag: "dmz,eu" });
  const task = await world.api("bob", "POST", `${project}/tasks`, { template_id: world.deploy.id });
  assert.equal(task.status, 201, JSON.stringify(task.body));
  return task.body.id;
}

Deno.test("a runner is called for once, and again only after there was one", async () => {
  await using stage = await callingWorld();
  const { world, calls, send } = stage;
  const id = await startLabelled(world);
  const look = async (why: RunnerWait) => {
    const reasons = new Map([[id, { by: "runner", why } as const]]);
    await callRunners(world.deps, await listOpenTasks(world.kv), reasons);
    await send();
  };
  const lacks: RunnerWait = { kind: "label", labels: ["dmz", "eu"] };
  await look(lacks);
  await look(lacks);
  assert.equal(calls.length, 1);
  assert.deepEqual(JSON.parse(calls[0].text), {
    action: "wanted",
    project_id: world.web.id,
    task_id: id,
    template_id: world.deploy.id,
    labels: ["dmz", "eu"],
  });
  const digest = createHmac("sha256", "hush").update(calls[0].text).digest("hex");
  assert.equal(calls[0].signature, `sha256=${digest}`);

  await look({ kind: "silent", name: "dmz-1", at: 0 });
  assert.equal(calls.length, 1, "there was none in between");
  await look({ kind: "busy", name: "dmz-1", running: 1, max: 1 });
  assert.equal(calls.length, 1);
  await look(lacks);
  assert.equal(calls.length, 2);
});

Deno.test("two servers call once", async () => {
  await using stage = await callingWorld();
  const { world, calls, send } = stage;
  const id = await startLabelled(world);
  const why: RunnerWait = { kind: "none" };
  const reasons = new Map([[id, { by: "runner", why } as const]]);
  const queued = await listOpenTasks(world.kv);
  await Promise.all([1, 2, 3].map(() => callRunners(world.deps, queued, reasons)));
  await send();
  assert.equal(calls.length, 1);
});

Deno.test("a server calls as soon as the last runner for a waiting task has ended", async () => {
  await using stage = await callingWorld();
  const { world, calls, send } = stage;
  const runner = await newTestRunner(world, { labels: ["dmz", "eu"] });
  await runner.poll({ free: 0 });
  const id = await startLabelled(world);
  const loop = startRunnerCalls(world.deps);
  const path = `/api/project/${world.web.id}/tasks/${id}/wait`;
  assert.match((await world.api("bob", "GET", path)).body.reason, /Starts now/);
  await runner.poll({ free: 0, leaving: true });
  assert.match((await world.api("bob", "GET", path)).body.reason, /was last seen/);
  await until(async () => {
    await send();
    return calls.length === 1;
  });
  await loop.stop();
});
