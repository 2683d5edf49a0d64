import assert from "node:assert/strict";
import { type Cause, causeOf, firstCauseOf } from "./cause.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type Trigger, triggerOf } from "./trigger.ts";

const NONE = { build_task_id: null, schedule_id: null, integration_id: null };
const of = { task_id: 3, hosts: 1, of: 4 };
const workflow = { workflow_id: 5, run_id: 6, step_id: 7, starter_id: null };
const series = { of: 3, minutes: 1, manages: true };
const byTrigger = (kind: NonNullable<TaskRow["started_by"]>["kind"]) => ({
  started_by: { kind, name: "Nightly" },
});

const ROWS: [name: string, row: Partial<TaskRow>, cause: Cause, trigger: Trigger][] = [
  ["a person's", {}, { kind: "person", by_token: false }, "manual"],
  ["a token's", { by_token: true }, { kind: "person", by_token: true }, "api"],
  [
    "a schedule's",
    { schedule_id: 8, ...byTrigger("schedule") },
    { kind: "schedule", id: 8 },
    "schedule",
  ],
  [
    "an integration's",
    { integration_id: 9, ...byTrigger("integration") },
    { kind: "integration", id: 9 },
    "integration",
  ],
  [
    "an automatic deploy",
    { build_task_id: 2, ...byTrigger("autorun") },
    { kind: "deploy", build_task_id: 2 },
    "autorun",
  ],
  ["a person's deploy", { build_task_id: 2 }, { kind: "person", by_token: false }, "manual"],
  ["a step", { workflow, ...byTrigger("workflow") }, { kind: "step", workflow }, "workflow"],
  ["a check", { check: true }, { kind: "check" }, "check"],
  [
    "a schedule's check",
    { check: true, schedule_id: 8, ...byTrigger("schedule") },
    { kind: "check" },
    "check",
  ],
  ["a repeated check", { check: true, retry_of: of }, { kind: "check", of }, "check"],
  [
    "an automatic fix",
    { auto_fix: true, retry_of: of, ...byTrigger("drift") },
    { kind: "fix", of },
    "drift",
  ],
  ["a retry", { retry_of: of }, { kind: "retry", of, by_token: false }, "manual"],
  [
    "a token's retry, which is a first attempt again",
    { retry_of: of, by_token: true, attempt: { ...series, n: 1 } },
    { kind: "retry", of, by_token: true },
    "api",
  ],
  [
    "an attempt for a schedule",
    {
      retry_of: of,
      attempt: { ...series, n: 2, first_id: 3 },
      schedule_id: 8,
      ...byTrigger("schedule"),
    },
    { kind: "attempt", of, first: { kind: "schedule", id: 8 } },
    "schedule",
  ],
  [
    "an attempt of a step",
    {
      retry_of: of,
      attempt: { ...series, n: 3, first_id: 2 },
      workflow,
      ...byTrigger("workflow"),
    },
    { kind: "attempt", of, first: { kind: "step", workflow } },
    "workflow",
  ],
  [
    "the first of several attempts",
    { attempt: { ...series, n: 1 } },
    { kind: "person", by_token: false },
    "manual",
  ],
];

for (const [name, members, cause, trigger] of ROWS) {
  Deno.test(`the cause of ${name}`, () => {
    const row = { ...NONE, ...members } as TaskRow;
    assert.deepEqual(causeOf(row), cause);
    assert.deepEqual(firstCauseOf(row), cause.kind === "attempt" ? cause.first : cause);
    assert.equal(triggerOf(row), trigger);
  });
}
