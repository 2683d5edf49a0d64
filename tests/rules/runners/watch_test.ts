import assert from "node:assert/strict";
import { outbox, type Waiting } from "@/tests/support/services/alerting.ts";
import { alertWorker } from "@/lib/alerts/deliver.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { lookForLostRunners } from "@/lib/alerts/runner_watch.ts";
import type { AlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { readConfig } from "@/lib/base/settings/config.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { FACTS, register, registeredRunner, reusableToken } from "@/tests/support/world/runners.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const MINUTE_MS = 60_000;

/** Creates a world whose web project has a chat. */
async function newStage(more: Partial<AlertSettings> = {}) {
  const { alerts } = readConfig({ get: () => undefined }, "");
  const slackUrl = "http://chat.example.com/hook";
  const url = new URL("https://callboard.example.com");
  const world = await newWorld({ config: { url, alerts: { ...alerts, slackUrl, ...more } } });
  await world.api("alice", "PUT", `/api/project/${world.web.id}`, { name: "Web", alert: true });
  return world;
}

const touch = async (world: World, id: number, session: string) =>
  await touchRunner(world.deps, (await findRunner(world.kv, id))!, session, FACTS);

/** Expands the alerts that are due, and returns the messages to send. */
async function deliveries(world: World): Promise<Waiting[]> {
  await doDue(world.deps, alertWorker);
  return (await outbox(world)).filter(({ job }) => job === "alert_messages");
}

const told = async (world: World): Promise<string[]> =>
  (await deliveries(world)).map(({ message }) => message.title);

Deno.test("a runner that is lost, and one that is back, are reported once each", async () => {
  await using world = await newStage();
  const { id } = await registeredRunner(world);
  const session = crypto.randomUUID();
  await touch(world, id, session);
  world.clock.advance(9 * MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.deepEqual(await told(world), []);
  world.clock.advance(MINUTE_MS);
  await lookForLostRunners(world.deps, false);
  assert.deepEqual(await told(world), [], "the server has just started");
  await Promise.all([1, 2, 3].map(() => lookForLostRunners(world.deps)));
  assert.deepEqual(await told(world), ["Runner dmz-1 is lost"]);
  world.clock.advance(60 * MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.equal((await told(world)).length, 1);
  await touch(world, id, session);
  await Promise.all([1, 2, 3].map(() => lookForLostRunners(world.deps, false)));
  assert.deepEqual(await told(world), ["Runner dmz-1 is lost", "Runner dmz-1 is back"]);
});

Deno.test("a runner of the server is reported to its chats, and to admins who want alerts", async () => {
  await using world = await newStage({ smtpUrl: "smtp://mail.example.com" });
  for (const person of ["erin", "alice"] as const) {
    const path = `/api/users/${world.people[person].id}`;
    const { body } = await world.api("erin", "GET", path);
    const wanted = { ...body, email: `${person}@example.com`, alert: true };
    assert.equal((await world.api("erin", "PUT", path, wanted)).status, 204);
  }
  const { id } = await registeredRunner(world, { name: "far" }, null);
  await touch(world, id, crypto.randomUUID());
  world.clock.advance(10 * MINUTE_MS);
  await Promise.all([1, 2].map(() => lookForLostRunners(world.deps)));
  await touch(world, id, crypto.randomUUID());
  await Promise.all([1, 2].map(() => lookForLostRunners(world.deps, false)));
  const sent = (await deliveries(world)).map(({ log, to, message }) => [
    log.target_id,
    to,
    message.title,
    message.project,
    message.url,
  ]);
  const url = `https://callboard.example.com/admin/runners/${id}`;
  const each = (title: string) => [
    [-1, "erin@example.com", title, null, url],
    [-3, "", title, null, url],
  ];
  assert.deepEqual(
    sent.toSorted(),
    [...each("Runner far is back"), ...each("Runner far is lost")].toSorted(),
  );
});

Deno.test("a draining runner is not reported", async () => {
  await using world = await newStage();
  const own = await registeredRunner(world);
  await touch(world, own.id, crypto.randomUUID());
  const path = `/api/project/${world.web.id}/runners/${own.id}`;
  await world.api("mike", "POST", `${path}/state`, { state: "draining" });
  world.clock.advance(20 * MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.deepEqual(await told(world), []);
  // A runner that is revoked while it is lost is not back.
  await world.api("mike", "POST", `${path}/state`, { state: "active" });
  await lookForLostRunners(world.deps);
  await world.api("mike", "POST", `${path}/revoke`);
  await lookForLostRunners(world.deps);
  assert.deepEqual(await told(world), ["Runner dmz-1 is lost"]);
});

Deno.test("a runner that was registered again is not lost before it could call", async () => {
  await using world = await newStage();
  const { id } = await registeredRunner(world);
  await touch(world, id, crypto.randomUUID());
  world.clock.advance(9 * MINUTE_MS);
  const path = `/api/project/${world.web.id}/runners/${id}/registration-token`;
  const { body: { token } } = await world.api("mike", "POST", path);
  assert.equal((await register(world, token)).status, 201);
  world.clock.advance(9 * MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.deepEqual(await told(world), []);
  world.clock.advance(MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.deepEqual(await told(world), ["Runner dmz-1 is lost"]);
});

Deno.test("a one-off runner that has ended is deleted without an alert", async () => {
  await using world = await newStage();
  const token = await reusableToken(world, { one_off: true });
  const { body: { runner_id: id } } = await register(world, token, "vm-1");
  await touch(world, id, crypto.randomUUID());
  const task = { template_id: world.deploy.id };
  const path = `/api/project/${world.web.id}/tasks`;
  const { id: taskId } = (await world.api("bob", "POST", path, task)).body;
  const open = { id: taskId, project_id: world.web.id };
  await advance(world.kv, open, "starting", { runner_id: id, runner_name: "vm-1" });
  world.clock.advance(20 * MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.ok(await findRunner(world.kv, id), "its task has not ended");
  await advance(world.kv, open, "error", { end: world.clock.now().toISOString() });
  await Promise.all([1, 2].map(() => lookForLostRunners(world.deps)));
  assert.equal(await findRunner(world.kv, id), null);
  assert.deepEqual((await told(world)).filter((title) => title.includes("lost")), []);
});

Deno.test("a one-off runner that drained, was revoked or never polled is deleted, too", async () => {
  await using world = await newStage();
  const token = await reusableToken(world, { one_off: true });
  const ids: number[] = [];
  for (const name of ["drained", "revoked", "never-polled"]) {
    ids.push((await register(world, token, name)).body.runner_id);
  }
  const [drained, revoked] = ids;
  const path = `/api/project/${world.web.id}/runners`;
  for (const id of [drained, revoked]) await touch(world, id, crypto.randomUUID());
  await world.api("mike", "POST", `${path}/${drained}/state`, { state: "draining" });
  await world.api("mike", "POST", `${path}/${revoked}/revoke`);
  const kept = async () => {
    const rows = await Promise.all(ids.map((id) => findRunner(world.kv, id)));
    return rows.filter((row) => row !== null).length;
  };
  world.clock.advance(9 * MINUTE_MS);
  await lookForLostRunners(world.deps);
  assert.equal(await kept(), 3);
  world.clock.advance(MINUTE_MS);
  await lookForLostRunners(world.deps, false);
  assert.equal(await kept(), 3, "the server has just started");
  await lookForLostRunners(world.deps);
  assert.equal(await kept(), 0);
  assert.deepEqual(await told(world), []);
});

Deno.test("a backup of a project has none of its one-off runners", async () => {
  await using world = await newStage();
  await registeredRunner(world);
  await register(world, await reusableToken(world, { id: 2, one_off: true }), "vm-1");
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/backup`);
  assert.deepEqual(body.runners.map(({ name }: { name: string }) => name), ["dmz-1"]);
});
