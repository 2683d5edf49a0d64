import assert from "node:assert/strict";
import { Cron } from "croner";
import { join } from "node:path";
import { reportCertificates } from "@/lib/alerts/certificate_watch.ts";
import type { ReportedDrift } from "@/lib/alerts/drifted_hosts.ts";
import { lookForLostRunners } from "@/lib/alerts/runner_watch.ts";
import { ALERT_EVENTS } from "@/lib/alerts/schema.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { backupWorker } from "@/lib/maintenance/server_backup/automatic.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { newPrivateKey, publicKeyOf } from "@/lib/resources/keys/key_pair.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import {
  newRule,
  newTarget,
  send,
  sendAlerts,
  startReceiver,
} from "@/tests/support/services/alerting.ts";
import { FACTS, registeredRunner } from "@/tests/support/world/runners.ts";
import { schedule } from "@/tests/support/world/schedules.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newSshAuthority } from "@/tests/support/services/ssh_authority.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Lets a run of the template end as the dispatcher does, on hosts with these results. */
async function run(world: World, how: "success" | "error", status: "ok" | "changed" | "failed") {
  const told = await reportedTask(world);
  await told.report(play("Web"), task("a"), result("a", "web3", { status }));
  await told.flush();
  const row = await getTaskRow(world.kv, world.web.id, told.id);
  await endTask(world.deps, row, { how, log: told.output });
}

async function check(world: World, said: Record<string, "ok" | "changed" | "unchecked">) {
  const told = await reportedTask(world, { check: true });
  await told.report(play("Web"), task("a"));
  for (const [host, status] of Object.entries(said)) {
    const changes = status === "changed" ? { changed: true, diff: "-a\n+b\n" } : {};
    const results = status === "unchecked"
      ? { status: "skipped" as const, unchecked: true }
      : { status, ...changes };
    await told.report(result("a", host, results));
  }
  await told.report({ type: "end", at: EPOCH + 100, lost: 0, checkMode: [] });
  await told.end("success");
  await storeDueDrift(world.deps);
}

/** A time for backups comes twice without success, because the database is not there. */
async function failBackups({ kv, clock, deps: { environment } }: World) {
  const folder = await Deno.makeTempDir({ prefix: "callboard_old_" });
  const old = new Date(clock.now().getTime() - 72 * 3_600_000);
  const stamp = old.toISOString().replace(/[-:]|\.\d+/g, "");
  const id = crypto.randomUUID();
  await kv.set(rowKeys.storeIdentity(), { id, made: old.toISOString() });
  await Deno.writeTextFile(join(folder, `callboard-${stamp}-${id.slice(0, 8)}.age`), "");
  const config = { dataDir: folder, kv: join(folder, "missing.kv"), version: "" };
  const worker = backupWorker(
    {
      cron: new Cron("0 3 * * *", { timezone: "UTC" }),
      folder,
      keep: 2,
      passphrase: "a long enough passphrase",
      ...{ bucket: null, command: null, testCron: null },
    },
    { current: new Uint8Array(32).fill(7), previous: null, next: null },
  );
  await doDue({ kv, clock, config, environment, log: () => {} }, worker);
  await Deno.remove(folder, { recursive: true });
}

/** Adds a key whose certificate expires in a day. */
async function addExpiringKey(world: World): Promise<void> {
  const private_key = newPrivateKey("");
  const end = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
  const until = `${end.replaceAll(/[-:T]|\..*/g, "")}Z`;
  const authority = await newSshAuthority(world.folder);
  const options = ["-I", "x", "-V", `20200101000000Z:${until}`];
  const certificate = await authority.sign(publicKeyOf(private_key)!, ...options);
  const form = { name: "Deploy", type: "ssh", ssh: { private_key }, certificate };
  const { status } = await world.api("mike", "POST", `/api/project/${world.web.id}/keys`, form);
  assert.equal(status, 201);
}

Deno.test("each event is sent by its cause, once", async () => {
  await using receiver = startReceiver();
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const settings = { url: receiver.url };
  const target = { name: "All", kind: "http", allow_private: true, settings };
  const { body: { id: target_id } } = await world.api("erin", "POST", "/api/alert_targets", target);
  // A target gets one message about each end, so successes have another one.
  const rule = { name: "All", target_id, events: ALERT_EVENTS.filter((e) => e !== "succeeded") };
  assert.equal((await world.api("erin", "POST", "/api/alert_rules", rule)).status, 201);
  const other = { ...target, settings: { url: `${receiver.url}/succeeded` } };
  const { body: { id } } = await world.api("erin", "POST", "/api/alert_targets", other);
  const successes = { name: "Successes", target_id: id, events: ["succeeded"] };
  assert.equal((await world.api("erin", "POST", "/api/alert_rules", successes)).status, 201);

  const sent = async (): Promise<string[]> => {
    // Two servers look for what is due.
    await Promise.all([sendAlerts(world.deps, true), sendAlerts(world.deps, true)]);
    return receiver.calls.splice(0).map(({ body }) => body.event).toSorted();
  };
  const seen = new Set<string>();
  const expect = async (...events: string[]) => {
    assert.deepEqual(await sent(), events);
    for (const event of events) seen.add(event);
  };

  await run(world, "error", "failed");
  await expect("failed");
  await run(world, "error", "failed");
  await expect();
  await run(world, "success", "ok");
  await expect("recovered", "succeeded");
  await run(world, "success", "changed");
  await expect("changed", "succeeded");

  await check(world, { web3: "changed" });
  await expect("drifted");
  await check(world, { web3: "changed" });
  await expect();
  await check(world, { web3: "ok" });
  await expect("back_to_normal");

  const workflow = await stage.workflow([{ kind: "approval", name: "Go", approval: {} }]);
  await stage.start(workflow);
  await stage.goOn();
  await expect("waiting");

  const { id: runner } = await registeredRunner(world);
  await touchRunner(world.deps, (await findRunner(world.kv, runner))!, "session", FACTS);
  world.clock.advance(11 * 60_000);
  await Promise.all([lookForLostRunners(world.deps), lookForLostRunners(world.deps)]);
  await expect("runner_lost");

  await world.api("alice", "POST", `/api/project/${world.web.id}/schedules`, {
    template_id: world.web.templateId,
    cron_format: "TZ=UTC @hourly",
    active: true,
    name: "Nightly",
  });
  world.clock.advance(5 * 3_600_000);
  await schedule(world, world.clock.now());
  await expect("schedule_missed");

  await addExpiringKey(world);
  await Promise.all([reportCertificates(world.deps), reportCertificates(world.deps)]);
  await expect("certificate_expiring");

  for (let n = 0; n < 12; n++) {
    await world.api(null, "POST", "/api/auth/login", { auth: "bob", password: `wrong ${n}` });
  }
  await expect("account_locked");

  await failBackups(world);
  await expect("backup_too_old");
  assert.deepEqual([...seen].toSorted(), [...ALERT_EVENTS].toSorted());
});

Deno.test("an alert about many hosts reaches rules for any of them, and is over with the last one", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const target_id = await newTarget(world, receiver.url);
  await newRule(world, target_id, { events: ["drifted", "back_to_normal"], hosts: ["web99"] });
  const incidents = await newTarget(world, "", {
    name: "Incidents",
    kind: "pagerduty",
    settings: { token: "R0UT1NG", server: new URL(receiver.url).origin },
  });
  await newRule(world, incidents, { events: ["drifted", "back_to_normal"] });
  const all = (status: "ok" | "changed") =>
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`web${n}`, status]));
  let parts: ReportedDrift | undefined;
  const sent = async () => {
    await send(world);
    await send(world);
    const calls = receiver.calls.splice(0);
    parts = calls.flatMap(({ body }) => body.drift ? [body.drift] : []).at(0);
    return calls.map(({ body }) =>
      body.drift ? `${body.event} ${body.drift.count} ${body.drift.left}` : body.event_action
    ).toSorted();
  };
  await check(world, { ...all("changed"), db1: "unchecked", db2: "unchecked" });
  assert.deepEqual(await sent(), ["drifted 100 100", "trigger"]);
  assert.deepEqual(parts!.differing, [{ play_task: "Task a", hosts: 100 }]);
  const [{ subject, step, more, message }, ...others] = parts!.unchecked;
  assert.deepEqual([subject, step, more, others], ["db1", "Task a", 1, []]);
  assert.match(String(message), /^command has no check mode\./);
  await check(world, { ...all("ok"), web99: "changed" });
  assert.deepEqual(await sent(), ["trigger"]);
  await check(world, all("ok"));
  assert.deepEqual(await sent(), ["back_to_normal 1 0", "resolve"]);
});
