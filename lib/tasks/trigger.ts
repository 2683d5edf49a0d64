import type { TaskRow } from "./schema.ts";

/** What a task may have been started by: a person's hand, an API token, or one of ours. */
export const TRIGGERS = ["manual", "api", "schedule", "integration", "autorun"] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Those that start tasks without a person. */
export const AUTOMATIC = ["schedule", "integration", "autorun"] as const satisfies Trigger[];

/** What started a task. Tasks of before tokens were told apart count as started by hand. */
export function triggerOf(
  { started_by, schedule_id, integration_id, by_token }: Pick<
    TaskRow,
    "started_by" | "schedule_id" | "integration_id" | "by_token"
  >,
): Trigger {
  if (started_by) return started_by.kind;
  if (schedule_id !== null) return "schedule";
  if (integration_id !== null) return "integration";
  return by_token ? "api" : "manual";
}
