import type { TaskRow } from "./schema.ts";

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

/**
 * Returns the trigger of a task. A check of the drift of hosts is its own, whoever started it.
 * Tasks from versions that did not record tokens count as manual.
 */
export function triggerOf(
  { check, started_by, schedule_id, integration_id, by_token }: Pick<
    TaskRow,
    "check" | "started_by" | "schedule_id" | "integration_id" | "by_token"
  >,
): Trigger {
  if (check) return "check";
  if (started_by) return started_by.kind;
  if (schedule_id !== null) return "schedule";
  if (integration_id !== null) return "integration";
  return by_token ? "api" : "manual";
}
