import assert from "node:assert/strict";
import { alertWorker } from "@/lib/alerts/deliver.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { queueApprovalAlert, queueDriftAlert, queueRunAlert } from "@/lib/alerts/outbox.ts";
import { ALERT_EVENTS } from "@/lib/alerts/schema.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { queueNotice } from "@/lib/events/notices.ts";
import { transact } from "@/lib/store/transact.ts";
import type { Atomic, Store } from "@/lib/store/store.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import {
  newRule,
  newTarget,
  outbox,
  runTask,
  send,
  startReceiver,
  targets,
} from "@/tests/support/services/alerting.ts";
import { startSmtpServer } from "@/tests/support/services/smtp.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const ALL_DAY = { from: "00:00", to: "23:59", timezone: "UTC" };

/** A task with texts in letters of one to four bytes that fill its row. */
const LARGE: Partial<TaskRow> = {
  message: "👍".repeat(2_000),
  version: "漢".repeat(1_000),
  user_name: "é".repeat(4_000),
  template_name: "\u2028".repeat(2_000),
  end_reason: {
    key: "errors.run.only_failure",
    params: { host: "漢".repeat(8_000), task: '"\\'.repeat(2_000), message: "👍".repeat(2_000) },
  },
};
/** Texts that are larger than any row. */
const HUGE = "漢\\é👍".repeat(20_000);

/** Creates targets with a rule each, and returns their ids. */
async function newTargets(world: World, url: string, count: number, rule: object = {}) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    ids.push(await newTarget(world, url, { name: `Target ${n}` }));
    await newRule(world, ids[n], { name: `Rule ${n}`, ...rule });
  }
  return ids;
}

const digests = (world: World) =>
  Array.fromAsync(
    world.kv.list<{ total: number }>({ prefix: ["alert_digests", world.web.id] }),
    ({ value }) => value.total,
  );

for (const [rules, hasFeed] of [[9, false], [8, true], [50, true]] as const) {
  Deno.test(`${rules} rules with quiet hours ${hasFeed ? "and a feed " : ""}hold an alert back`, async () => {
    await using receiver = startReceiver();
    await using world = await newWorld();
    await newTargets(world, receiver.url, rules, { quiet: ALL_DAY });
    if (hasFeed) await world.api("alice", "POST", `/api/project/${world.web.id}/alert_feed`);
    await runTask(world, "error");
    await send(world);
    assert.deepEqual(world.log.filter(({ event }) => event === "job_failed"), []);
    assert.deepEqual(await digests(world), Array(rules).fill(1));
    const entries = await Array.fromAsync(
      world.kv.list({ prefix: rowKeys.alertFeedEntries(world.web.id) }),
    );
    assert.equal(entries.length, hasFeed ? 1 : 0);
    world.clock.advance(24 * 60 * 60_000);
    await send(world);
    assert.deepEqual(receiver.titles(), Array(rules).fill("1 alert was held back"));
    assert.deepEqual(await outbox(world), []);
  });
}

Deno.test("an alert that stops half-way reaches each target, recipient and digest once", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using receiver = startReceiver();
  const alerts = readAlertSettings(
    (name) => ({ CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })[name],
    (name) => assert.fail(name),
  );
  await using world = await newWorld({ config: { alerts } });
  await newTargets(world, receiver.url, 9);
  await newTargets(world, `${receiver.url}/held`, 1, { quiet: ALL_DAY });
  const addresses = Array.from({ length: 20 }, (_, n) => `person${n}@example.org`);
  const settings = { addresses: addresses.join(" ") };
  const mails = await newTarget(world, "", { kind: "email", settings });
  await newRule(world, mails);
  await runTask(world, "error", LARGE);
  // Some commits fail. Others are stored, but the server does not know.
  let seed = 1;
  const nextTurn = () => (seed = seed * 16_807 % 2_147_483_647) % 4;
  const kv: Store = {
    ...world.kv,
    [Symbol.dispose]: () => {},
    atomic() {
      const op = world.kv.atomic();
      const commit = op.commit;
      op.commit = async () => {
        const turn = nextTurn();
        if (turn === 0) throw new Error("killed");
        const result = await commit();
        if (turn === 1) throw new Error("killed");
        return result;
      };
      return op;
    },
  };
  let hasContinued = false;
  for (;;) {
    const due = (await outbox(world)).filter(({ job }) => job === "alerts");
    if (due.length === 0) break;
    hasContinued ||= due.some((alert) => "after" in alert);
    // So that work is due again after a failure.
    world.clock.advance(60_000);
    const patient = { ...alertWorker, attempts: 1_000, waitsMs: [1_000] };
    await doDue({ ...world.deps, kv }, patient).catch(() => {});
  }
  assert.ok(hasContinued, "the mails need several commits");
  world.clock.advance(3_600_000);
  await send(world);
  assert.equal(receiver.calls.length, 9);
  assert.deepEqual(smtp.mails.map(({ to }) => to[0]).toSorted(), addresses.toSorted());
  assert.deepEqual(await digests(world), [1]);
  const { body } = await world.api("alice", "GET", `${targets(world)}/${mails}/deliveries`);
  assert.equal(body.length, 20);
});

Deno.test("alerts with the largest texts reach all that the largest setup names", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const name = "漢".repeat(100);
  for (let n = 0; n < 50; n++) {
    const hosts = Array.from({ length: 50 }, (_, i) => `${"漢".repeat(195)}${i}*`);
    const settings = { url: receiver.url, body: `{"a": "${"漢".repeat(7_900)}"}` };
    const id = await newTarget(world, receiver.url, { name, settings });
    await newRule(world, id, { name, events: ALERT_EVENTS, ...n % 2 && { hosts } });
    const server = { name, kind: "http", allow_private: true, settings: { url: receiver.url } };
    const { body } = await world.api("erin", "POST", "/api/alert_targets", server);
    const rule = { name, target_id: body.id, events: ALERT_EVENTS };
    assert.equal((await world.api("erin", "POST", "/api/alert_rules", rule)).status, 201);
  }
  await world.api("alice", "POST", `/api/project/${world.web.id}/alert_feed`);
  const project_id = world.web.id;
  const reason = {
    key: "errors.run.only_failure",
    params: { host: HUGE, task: HUGE, message: HUGE },
  };
  const run = {
    ...{ project_id, workflow_id: 3, workflow_name: HUGE, run_id: 12 },
    ...{ user_id: null, username: null, user_name: HUGE },
  };
  const people = Array.from({ length: 50 }, (_, n) => n);
  const hosts = Array.from({ length: 20 }, (_, n) => `${"漢".repeat(5_000)}${n}`);
  const queue: Record<string, (op: Atomic) => unknown> = {
    run: (op) => queueRunAlert(op, world.deps, { ...run, failed: true, reason }),
    approval: (op) =>
      queueApprovalAlert(op, world.deps, {
        ...{ ...run, message: HUGE, step: HUGE, again: reason },
        voters: { roles: [], user_ids: people, except: null },
      }),
    drift: (op) =>
      queueDriftAlert(op, world.deps, {
        ...{ project_id, event: "drifted", template_id: world.deploy.id, task_id: 1 },
        ...{ hosts, count: 20, left: 20 },
        differing: hosts.slice(0, 10).map((play_task) => ({ play_task, hosts: 20 })),
        unchecked: hosts.slice(0, 10).map((step) => ({
          ...{ subject: HUGE, step, message: HUGE, more: 19, line: 1 },
          place: { file: HUGE, line: 1, column: null },
        })),
      }),
    notice: (op) =>
      queueNotice(op, world.deps, {
        ...{ event: "schedule_missed", project_id, template_id: null, path: "/" },
        title: { key: "alerts.title.schedule_missed", params: { schedule: HUGE } },
      }),
  };
  const expectAll = async (what: string, count: number) => {
    await send(world);
    assert.deepEqual(world.log.filter(({ event }) => event !== "alert_not_sent"), [], what);
    assert.equal(
      receiver.calls.splice(0).length,
      count,
      `${what} ${JSON.stringify(world.log.at(-1))}`,
    );
    assert.deepEqual(await outbox(world), [], what);
  };
  await runTask(world, "error", LARGE);
  await expectAll("task", 75);
  for (const [what, add] of Object.entries(queue)) {
    await transact(world.kv, (op) => add(op) as Promise<void>);
    await expectAll(what, 75);
  }
  const feed = await Array.fromAsync(
    world.kv.list({ prefix: rowKeys.alertFeedEntries(project_id) }),
  );
  assert.equal(feed.length, 5);
});

Deno.test("a digest of the largest texts is sent, and so is the reason of a failure", async () => {
  await using receiver = startReceiver(() => new Response("👍".repeat(10_000), { status: 410 }));
  await using world = await newWorld();
  const [id] = await newTargets(world, receiver.url, 1, { quiet: ALL_DAY, repeat: "each" });
  for (let n = 0; n < 25; n++) {
    await runTask(world, "error", { ...LARGE, template_name: `${n}${"漢".repeat(5_000)}` });
  }
  await send(world);
  assert.deepEqual(await digests(world), [25]);
  world.clock.advance(24 * 60 * 60_000);
  await send(world);
  assert.deepEqual(receiver.titles(), ["25 alerts were held back"]);
  const { body } = await world.api("alice", "GET", `${targets(world)}/${id}/deliveries`);
  assert.deepEqual([body.length, body[0].status], [1, "abandoned"]);
  assert.match(body[0].reason, /^410 (?:👍)+…$/u);
});
