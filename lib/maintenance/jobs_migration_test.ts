import assert from "node:assert/strict";
import { channelId } from "../alerts/targets/settings_targets.ts";
import { doDue } from "../jobs/engine.ts";
import { type JobDeps, worker } from "../jobs/worker.ts";
import type { JobRow } from "../jobs/rows.ts";
import { type HostsDue, hostsJobs } from "../hosts/outbox.ts";
import { openStore } from "../store/file/open_store.ts";
import { rowKeys } from "../store/keys.ts";
import { unwatched } from "../store/rows/rewrite_rows.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { Firing } from "../triggers/schedules/firing.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { moveToJobs } from "./jobs_migration.ts";

const LATER = "2090-01-01T00:00:00.000Z";

/** Rows as the version before jobs wrote them, and what their jobs are asked for. */
const ROWS: [Deno.KvKey, unknown, string, unknown][] = [
  [
    ["alerts_due", "2020-01-01T00:00:00.000Z", "d"],
    { kind: "digest", project_id: 1, place: 1, rule_id: 2 },
    "alert_digests",
    { project_id: 1, place: 1, rule_id: 2 },
  ],
  [
    ["alerts_due", "2020-01-01T00:00:00.000Z", "m"],
    {
      ...{ kind: "delivery", project_id: 1, channel: "slack", target: "", attempts: 2, busy: 1 },
      message: { title: "Failed", mood: "bad" },
    },
    "alert_messages",
    {
      project_id: 1,
      to: "",
      message: { title: "Failed", mood: "bad", event: "failed", story: "" },
      log: {
        place: 0,
        target_id: channelId("slack"),
        at: "2020-01-01T00:00:00.000Z",
        unique: "m",
        also: 1,
      },
    },
  ],
  [
    ["alerts_due", "2020-01-01T00:00:00.000Z", "t"],
    { kind: "task", project_id: 1, task_id: 2, status: "error", failures: 3 },
    "alerts",
    { kind: "task", project_id: 1, task_id: 2, status: "error" },
  ],
  [
    ["drift_accepted_due", "2020-01-01T00:00:00.000Z", "a"],
    { project_id: 1, template_id: 2, hosts: ["web"] },
    "accepted_drift",
    { project_id: 1, template_id: 2, hosts: ["web"] },
  ],
  [
    ["drift_fix_due", "2020-01-01T00:00:00.000Z", "a"],
    { project_id: 1, template_id: 2, task_id: 3 },
    "auto_fixes",
    { project_id: 1, template_id: 2, task_id: 3 },
  ],
  [
    ["drift_due", 8],
    { project_id: 1, template_id: 2, after: 3, gone_after: "db" },
    "drift",
    { project_id: 1, template_id: 2, task_id: 8, after: 3, gone_after: "db" },
  ],
  [
    ["task_approvals_due", LATER, "a"],
    { project_id: 1, task_id: 4, minutes: 30 },
    "approvals",
    { project_id: 1, task_id: 4 },
  ],
  [
    ["task_attempts_due", LATER, "a"],
    { project_id: 1, template_id: 2, task_id: 5, minutes: 5, failures: 1 },
    "attempts",
    { project_id: 1, template_id: 2, task_id: 5 },
  ],
  [
    ["autoruns_due", LATER, "a"],
    { project_id: 1, task_id: 6, after: 2, attempts: 1 },
    "autoruns",
    { project_id: 1, task_id: 6, after: 2 },
  ],
  [
    ["workflow_starts_due", LATER, "a"],
    { project_id: 1, task_id: 6, after: 0, attempts: 0 },
    "build_workflows",
    { project_id: 1, task_id: 6, after: 0 },
  ],
  [["hosts_due", 7], { project_id: 1, after: 3 }, "hosts", { project_id: 1, task_id: 7, after: 3 }],
  [
    ["workflow_runs_due", LATER, "a"],
    { project_id: 1, run_id: 8, wait_ms: 60_000, attempts: 0 },
    "workflows",
    { project_id: 1, run_id: 8 },
  ],
];

Deno.test("work of an earlier version is found by its workers, at its time", async () => {
  using kv = await openStore(":memory:");
  for (const [key, row] of ROWS) await kv.set(key, row);
  // An upgrade that was interrupted begins again.
  for (const after of [null, ["earlier_list", 1]]) await moveToJobs(kv, { ...unwatched, after });
  const jobs = await Array.fromAsync(kv.list<{ input: unknown }>({ prefix: ["jobs"] }));
  const found = new Map(jobs.map(({ key, value }) => [key[1], value.input]));
  assert.deepEqual(found, new Map(ROWS.map(([, , kind, input]) => [kind, input])));
  for (const [key] of ROWS) assert.equal((await kv.get(key)).value, null);
  const due = await Array.fromAsync(kv.list({ prefix: ["jobs_due"] }), ({ key }) => key);
  assert.equal(due.length, ROWS.length);
  const later = due.filter(([, , time]) => time === LATER).map(([, kind]) => kind);
  assert.deepEqual(later, ["approvals", "attempts", "autoruns", "build_workflows"]);
});

Deno.test("the end of a maintenance that an earlier version has planned is still due", async () => {
  using kv = await openStore(":memory:");
  const ends = "2026-01-02T00:00:00.000Z";
  await kv.set(rowKeys.maintenance(), { message: "", begins: "2026-01-01T00:00:00.000Z", ends });
  await moveToJobs(kv, unwatched);
  const [{ value }] = await Array.fromAsync(
    kv.list<JobRow>({ prefix: rowKeys.jobsOfKind("maintenance_end") }),
  );
  assert.deepEqual([value.input, value.at], [{ ends }, Date.parse(ends)]);
});

Deno.test("a job of an earlier version is done", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.project(1), { id: 1 });
  await kv.set(["hosts_due", 7], { project_id: 1, after: 3 });
  await moveToJobs(kv, unwatched);
  const done: unknown[] = [];
  const deps = { kv, clock: { now: () => new Date(), ticks: () => 0 }, log: () => {} };
  await doDue(
    deps,
    worker<HostsDue, JobDeps>({
      ...{ kind: hostsJobs, attempts: 1, waitsMs: [], limitMs: 1_000, parallel: 1 },
      run: (_, { input }) => Promise.resolve(void done.push(input)),
    }),
  );
  assert.deepEqual(done, [{ project_id: 1, task_id: 7, after: 3 }]);
});

Deno.test("a time of a schedule that an earlier version has taken is fired, once", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const project = `/api/project/${web.id}`;
  const form = { template_id: web.templateId, cron_format: "0 3 * * *" };
  const { body: fired } = await world.api("alice", "POST", `${project}/schedules`, form);
  const { body: left } = await world.api("alice", "POST", `${project}/schedules`, form);
  const { body: task } = await world.api("alice", "POST", `${project}/tasks`, {
    template_id: web.templateId,
  });
  const key = rowKeys.task(web.id, task.id);
  await kv.set(key, { ...(await kv.get<object>(key)).value, schedule_id: fired.id });
  const taken = "2024-05-03T03:00:00.000Z";
  const due = { project_id: web.id, checks: false, taken, last_task: task.id - 1 };
  for (const { id } of [fired, left, { id: 99 }]) {
    await kv.set(["schedules_due", "2024-05-03T03:01:00.000Z", id, "unfinished"], due);
  }
  const at = rowKeys.resource("schedules", web.id, left.id);
  await kv.set(at, { ...(await kv.get<object>(at)).value, checking_until: taken });
  for (const _ of [1, 2]) await moveToJobs(kv, unwatched);
  const jobs = await Array.fromAsync(kv.list<JobRow<Firing>>({ prefix: rowKeys.jobs() }));
  const inputs = jobs.map(({ value }) => value.input).toSorted((a, b) =>
    a.schedule_id - b.schedule_id
  );
  const { commit_hash: commit } = (await kv.get<TaskRow>(key)).value!;
  assert.deepEqual(inputs, [
    { project_id: web.id, schedule_id: fired.id, taken, started: task.id, commit },
    { project_id: web.id, schedule_id: left.id, taken },
  ]);
  const dues = await Array.fromAsync(kv.list({ prefix: ["schedules_due"] }), ({ key }) => key[3]);
  assert.deepEqual(dues, ["run", "run"]);
  assert.ok(!("checking_until" in (await kv.get<object>(at)).value!));
});
