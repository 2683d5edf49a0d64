import { firstCauseOf } from "./cause.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Triggers of a task: a person, an API token, or an automatic one. */
export const TRIGGERS = [
  "manual",
  "api",
  "schedule",
  "integration",
  "autorun",
  "workflow",
  "drift",
  "check",
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Triggers that start tasks without a person. */
export const AUTOMATIC = [
  "schedule",
  "integration",
  "autorun",
  "workflow",
  "drift",
] as const satisfies Trigger[];

/** Triggers of tasks that count as runs of their template. */
export const RUN_TRIGGERS = TRIGGERS.filter((trigger) => trigger !== "check");

/** Triggers of the causes that have only one. */
const TRIGGER_OF = {
  schedule: "schedule",
  integration: "integration",
  deploy: "autorun",
  step: "workflow",
  fix: "drift",
  check: "check",
} as const;

/**
 * Returns the trigger of a task. A check of the drift of hosts is its own, whoever started it.
 * Tasks from versions that did not record tokens count as manual.
 */
export function triggerOf(task: TaskRow): Trigger {
  const cause = firstCauseOf(task);
  if ("by_token" in cause) return cause.by_token ? "api" : "manual";
  return TRIGGER_OF[cause.kind];
}
