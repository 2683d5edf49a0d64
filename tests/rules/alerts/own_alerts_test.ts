import assert from "node:assert/strict";
import { queueApprovalAlert, queueRunAlert } from "@/lib/alerts/outbox.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import type { OwnEvent } from "@/lib/model/account_row.ts";
import { taskChanged } from "@/lib/tasks/changes.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import {
  newRule,
  newTarget,
  outbox,
  rules,
  runTask,
  send,
} from "@/tests/support/services/alerting.ts";
import { startSmtpServer } from "@/tests/support/services/smtp.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function mailingWorld() {
  const smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const url = `smtp://127.0.0.1:${smtp.port}`;
  const alerts = readAlertSettings(
    (name) => name === "CALLBOARD_SMTP_URL" ? url : undefined,
    (name) => assert.fail(name),
  );
  const world = await newWorld({ config: { alerts } });
  return {
    world,
    smtp,
    subjects: () => smtp.mails.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)![1]).toSorted(),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

/** Bob chooses what he wants to know of his own tasks. */
async function choose(world: World, ...events: OwnEvent[]) {
  const path = `/api/users/${world.people.bob.id}`;
  const { body } = await world.api("bob", "GET", path);
  const { status } = await world.api("bob", "PUT", path, { ...body, notify_own: events });
  assert.equal(status, 204);
}

Deno.test("people get mails about their own tasks as they have chosen", async () => {
  await using stage = await mailingWorld();
  const { world, smtp, subjects } = stage;
  const runAll = async () => {
    for (const status of ["error", "success", "waiting_confirmation"] as const) {
      await runTask(world, status);
    }
    await runTask(world, "error", { user_id: null });
    await runTask(world, "error", { user_id: world.people.alice.id });
    await send(world);
  };
  await runAll();
  assert.deepEqual(subjects(), [], "no one has chosen anything");
  await choose(world, "failed");
  await runAll();
  assert.deepEqual(subjects(), ["Web shop: Deploy shop failed"]);
  await choose(world, "failed", "succeeded", "waiting");
  await runAll();
  assert.deepEqual(subjects().slice(1), [
    "Web shop: Deploy shop failed",
    "Web shop: Deploy shop is waiting for approval",
    "Web shop: Deploy shop succeeded",
  ]);
  assert.ok(smtp.mails.every(({ to }) => to.join() === "bob@example.com"));
  assert.deepEqual(await outbox(world), []);
});

Deno.test("the mail about an own task is in the language of its reader", async () => {
  await using stage = await mailingWorld();
  const { world, subjects } = stage;
  await choose(world, "failed");
  await world.post("bob", "/auth/preferences", { lang: "fr" });
  await runTask(world, "error", { suppress_success_alerts: true });
  await send(world);
  assert.match(subjects().join(), /Deploy_shop_=3A_=C3=A9chec/);
});

Deno.test("a success that its template does not report is mailed to the owner alone", async () => {
  await using stage = await mailingWorld();
  const { world, subjects } = stage;
  await choose(world, "succeeded");
  const settings = { addresses: "ops@example.org" };
  await newRule(world, await newTarget(world, "", { kind: "email", settings }), {
    events: ["succeeded"],
  });
  await runTask(world, "success", { suppress_success_alerts: true });
  await send(world);
  assert.deepEqual(subjects(), ["Web shop: Deploy shop succeeded"]);
});

Deno.test("no one gets two mails about one task, or one about a project that they have left", async () => {
  await using stage = await mailingWorld();
  const { world, smtp } = stage;
  await choose(world, "failed");
  const settings = { addresses: "bob@example.com" };
  const rule = await newRule(world, await newTarget(world, "", { kind: "email", settings }));
  await runTask(world, "error");
  await send(world);
  assert.equal(smtp.mails.length, 1);
  assert.equal((await world.api("alice", "DELETE", `${rules(world)}/${rule}`)).status, 204);
  await runTask(world, "error");
  await world.kv.delete(rowKeys.member(world.web.id, world.people.bob.id));
  await send(world);
  assert.equal(smtp.mails.length, 1);
});

Deno.test("a run of a workflow is reported to its starter, and its steps are not", async () => {
  await using stage = await mailingWorld();
  const { world, subjects } = stage;
  await choose(world, "failed", "waiting");
  const run = {
    project_id: world.web.id,
    workflow_id: 4,
    workflow_name: "Release",
    run_id: 9,
    user_id: world.people.bob.id,
    username: "bob",
    user_name: "Bob",
  };
  const voters = { roles: [], user_ids: [], except: null };
  await transact(
    world.kv,
    (op) => queueApprovalAlert(op, world.deps, { ...run, step: "Go", message: "", voters }),
  );
  await runTask(world, "error", {
    workflow: { workflow_id: 4, run_id: 9, step: "deploy" } as never,
  });
  await transact(
    world.kv,
    (op) => queueRunAlert(op, world.deps, { ...run, failed: true, reason: null }),
  );
  await send(world);
  assert.deepEqual(subjects(), [
    "Web shop: Release (run #9) failed",
    "Web shop: Release (run #9) is waiting for approval",
  ]);
});

Deno.test("the account page stores the choice, and none of it", async () => {
  await using stage = await mailingWorld();
  const { world } = stage;
  const path = `/api/users/${world.people.bob.id}`;
  const chosen = async () => (await world.api("bob", "GET", path)).body.notify_own;
  const { name, username, email } = (await world.api("bob", "GET", path)).body;
  const profile = { name, username, email };
  const answer = await world.post("bob", "/account/notifications", {
    "notify_own.0": "failed",
    "notify_own.1": "waiting",
  });
  assert.equal(answer.status, 303);
  assert.deepEqual(await chosen(), ["failed", "waiting"]);
  assert.equal((await world.api("bob", "PUT", path, profile)).status, 204);
  assert.deepEqual(await chosen(), ["failed", "waiting"], "other clients do not know it");
  await world.post("bob", "/account", profile);
  assert.deepEqual(await chosen(), ["failed", "waiting"], "the profile is another page");
  await world.post("bob", "/account/notifications", {});
  assert.deepEqual(await chosen(), []);
});

Deno.test("a page that wants notices gets those of its reader's tasks, each once", async () => {
  await using world = await newWorld();
  const stream = await world.get("bob", "/events?own=failed,waiting", { "Accept-Encoding": "" });
  const { until, cancel } = readStream(stream.body!);
  await until(/retry/);
  const end_reason = { key: "errors.run.only_failure", params: { host: "web3" } };
  const others = await runTask(world, "error", { user_id: world.people.alice.id });
  const succeeded = await runTask(world, "success");
  const failed = await runTask(world, "error", { end_reason });
  for (const task of [others, succeeded, failed, failed]) taskChanged(world.deps, task);
  const waiting = await runTask(world, "waiting_confirmation");
  taskChanged(world.deps, waiting);
  const text = await until(/waiting for approval/);
  const notices = [...text.matchAll(/event: notice\ndata: (.*)/g)]
    .map(([, json]) => JSON.parse(json));
  assert.deepEqual(notices.map(({ title }) => title), [
    "Deploy shop failed",
    "Deploy shop is waiting for approval",
  ]);
  const [{ body, url, tag }] = notices;
  assert.match(body, /^Web shop: web3/);
  assert.equal(url, `/project/${world.web.id}/templates/${world.deploy.id}?t=${failed.id}`);
  assert.equal(tag, `task-${failed.id}-error`);
  await cancel();
});
