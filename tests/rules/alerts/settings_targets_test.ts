import assert from "node:assert/strict";
import { queueRunAlert, queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { type AlertSettings, readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  outbox,
  runTask,
  send,
  startReceiver,
  targets,
} from "@/tests/support/services/alerting.ts";
import { startSmtpServer } from "@/tests/support/services/smtp.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Creates a world with these settings, whose project wants alerts. */
async function newStage(environment: Record<string, string>): Promise<World> {
  const alerts: AlertSettings = readAlertSettings(
    (name) => environment[`CALLBOARD_${name}`] ?? environment[name.slice("CALLBOARD_".length)],
    (name) => assert.fail(name),
  );
  const world = await newWorld({ config: { alerts } });
  const form = { name: "Web shop", alert: true };
  assert.equal((await world.api("alice", "PUT", `/api/project/${world.web.id}`, form)).status, 204);
  return world;
}

const addServerRule = async (world: World, target_id: number) => {
  const rule = { name: "Server", target_id, events: ["failed", "succeeded"] };
  assert.equal((await world.api("erin", "POST", "/api/alert_rules", rule)).status, 201);
};

Deno.test("targets of the settings are read, tested and logged as others, and never changed", async () => {
  await using receiver = startReceiver();
  await using world = await newStage({ SMTP_URL: "smtp://127.0.0.1:9", SLACK_URL: receiver.url });
  const places = [["erin", "/api/alert_targets"], ["alice", targets(world)]] as const;
  for (const [person, path] of places) {
    const { body: list } = await world.api(person, "GET", path);
    assert.deepEqual(
      list.map((
        { id, kind, from_environment }: Record<string, unknown>,
      ) => [id, kind, from_environment]),
      [[-1, "members", true], [-3, "slack", true]],
    );
    const { body: one } = await world.api(person, "GET", `${path}/-3`);
    assert.deepEqual(one, list[1]);
    const { body: tested } = await world.api(person, "POST", `${path}/-3/test`);
    assert.deepEqual(tested, { ok: true, code: 200, reason: null });
    const form = { name: "Mine", kind: "slack", settings: { url: "https://example.com" } };
    for (
      const { status, body } of [
        await world.api(person, "PUT", `${path}/-3`, form),
        await world.api(person, "DELETE", `${path}/-3`),
        await world.api(person, "POST", `${path}/-3/resume`),
      ]
    ) assert.deepEqual([status, body.code], [409, "alerts.of_settings"]);
    for (const part of ["", "/deliveries"]) {
      assert.equal((await world.api(person, "GET", `${path}/-2${part}`)).status, 404, "not set up");
    }
  }
  assert.equal(receiver.calls.length, 2);
});

Deno.test("a target of the settings logs all messages, and each project sees its own", async () => {
  await using receiver = startReceiver(() => new Response("gone", { status: 410 }));
  await using world = await newStage({ SLACK_URL: receiver.url });
  const attempts: string[] = [];
  for (let n = 0; n < 25; n++) {
    await runTask(world, "error");
    await send(world);
    attempts.push("abandoned");
  }
  const { body: made } = await world.api("erin", "POST", "/api/projects", { name: "Other" });
  const log = async (person: "alice" | "erin", path: string) =>
    (await world.api(person, "GET", `${path}/-3/deliveries`)).body.map((
      { status }: { status: string },
    ) => status);
  assert.deepEqual(await log("alice", targets(world)), attempts);
  assert.deepEqual(await log("erin", "/api/alert_targets"), attempts);
  assert.deepEqual(await log("erin", `/api/project/${made.id}/alert_targets`), []);
  const { body } = await world.api("erin", "GET", "/api/alert_targets/-3");
  assert.deepEqual([body.paused, body.failures], [null, 0], "it is never paused");
});

Deno.test("a receiver gets an alert once, from the rule of the server or of a project without rules", async () => {
  await using receiver = startReceiver();
  const server = new URL(receiver.url).origin;
  await using world = await newStage({
    ...{ SLACK_URL: receiver.url, WEBHOOK_URL: `${server}/hook` },
    ...{ TELEGRAM_TOKEN: "1:a", TELEGRAM_CHAT: "-1", TELEGRAM_URL: server },
  });
  const sent = () =>
    receiver.calls.splice(0).map(({ path, body }) => `${path} ${body.chat_id ?? ""}`.trim()).sort();
  for (const id of [-2, -3, -4]) await addServerRule(world, id);
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(sent(), ["/bot1:a/sendMessage -1", "/hook", "/secret-path"]);
  const form = { name: "Web shop", alert: true, alert_chat: "-42" };
  await world.api("alice", "PUT", `/api/project/${world.web.id}`, form);
  await runTask(world, "success");
  await send(world);
  const chats = ["/bot1:a/sendMessage -1", "/bot1:a/sendMessage -42"];
  assert.deepEqual(sent(), [...chats, "/hook", "/secret-path"], "these are two chats");
  await world.api("alice", "PUT", `/api/project/${world.web.id}`, { name: "Web shop" });
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(
    sent(),
    ["/bot1:a/sendMessage -1", "/hook", "/secret-path"],
    "only the server's",
  );
});

Deno.test("a project without rules gets the alerts that it always got, and no others", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using receiver = startReceiver();
  await using world = await newStage({
    ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SLACK_URL: receiver.url },
  });
  const entry = await world.kv.get<object>(rowKeys.user(world.people.alice.id));
  await world.kv.set(entry.key, { ...entry.value, alert: true });
  const about = { workflow_id: 4, workflow_name: "Release", run_id: 9 };
  await transact(world.kv, (op) =>
    queueRunAlert(op, world.deps, {
      ...{ ...about, project_id: world.web.id },
      ...{ user_id: world.people.bob.id, username: "bob", user_name: "Bob" },
      ...{ failed: true, reason: null },
    }));
  await send(world);
  assert.deepEqual([receiver.calls.length, smtp.mails.length], [0, 0], "no runs of workflows");
  for (const status of ["success", "waiting_confirmation", "error", "error"] as const) {
    await runTask(world, status);
  }
  await send(world);
  assert.deepEqual(receiver.calls.map(({ body }) => body.text).sort(), [
    "Deploy shop failed",
    "Deploy shop failed",
    "Deploy shop is waiting for approval",
    "Deploy shop succeeded",
  ]);
  assert.equal(smtp.mails.length, 2, "mails only about failures");
});

Deno.test("an alert of a project that is being deleted leaves no log", async () => {
  await using receiver = startReceiver();
  await using world = await newStage({ SLACK_URL: receiver.url });
  const task = await runTask(world, "error");
  const entry = await world.kv.get<object>(rowKeys.project(world.web.id));
  await world.kv.set(entry.key, { ...entry.value, deleting: true });
  await transact(world.kv, (op) => queueTaskAlert(op, world.deps, task));
  await send(world);
  await world.kv.delete(entry.key);
  world.clock.advance(1_000);
  await send(world);
  assert.equal(receiver.calls.length, 0);
  assert.deepEqual(await outbox(world), []);
  const logs = await Array.fromAsync(world.kv.list({ prefix: ["alert_deliveries"] }));
  assert.deepEqual(logs, []);
});
