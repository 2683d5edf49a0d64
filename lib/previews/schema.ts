import * as z from "zod";
import { previewSchema } from "../tasks/preview_state.ts";

const count = z.int();

/** Some hosts by name, and the number of further ones. */
const someHosts = { hosts: z.array(z.string()), more: count };

const predictedChange = z.object({
  play_task_id: count,
  /** Name of the Ansible task, and of its role. */
  play_task: z.string(),
  role: z.string(),
  /** A unified diff; empty for an unknown change. */
  diff: z.string(),
  ...someHosts,
});

const uncheckedTask = z.object({
  play_task_id: count,
  play_task: z.string(),
  action: z.string(),
  /** Number of hosts on which it was skipped. */
  hosts: count,
});

const carriedOutTask = z.object({
  play_task_id: count,
  play_task: z.string(),
  role: z.string(),
  action: z.string(),
  /** Number of hosts on which it was executed, and number of those it changed. */
  hosts: count,
  changed_hosts: count,
});

const differenceSchema = z.object({
  /** Whether hosts changed unexpectedly, or did not change as predicted. */
  kind: z.enum(["unpredicted", "absent"]),
  play_task: z.string(),
  role: z.string(),
  /** Whether the preview had skipped it. */
  unchecked: z.boolean(),
  ...someHosts,
});
export type Difference = z.output<typeof differenceSchema>;

const differencesSchema = z.object({
  items: z.array(differenceSchema),
  /** Whether there were more changes than are compared. */
  partial: z.boolean(),
});
/** Differences with the number of hosts of each kind. */
export interface Differences extends z.output<typeof differencesSchema> {
  unpredicted: number;
  absent: number;
}

/** Prediction of a task's preview, and its differences from the real execution. */
export const taskPreviewSchema = previewSchema.extend({
  /** Whether all results of the preview are known. Otherwise there may be more changes. */
  complete: z.boolean(),
  /** Changes by Ansible task. The same change on several hosts is listed once. */
  changes: z.array(predictedChange),
  /** Value of `after` for the next changes; null if these are the last. */
  next: z.string().nullable(),
  /** Ansible tasks that check mode skipped, so that their effect is unknown. */
  unchecked: z.array(uncheckedTask),
  /** Ansible tasks that the preview itself executed because of `check_mode: false`. */
  carried_out_tasks: z.array(carriedOutTask),
  /** Positions where the play depends on check mode, and may act differently without it. */
  check_mode: z.array(z.string()),
  /** Null until the real execution. */
  differences: differencesSchema.nullable(),
});
export type TaskPreview = z.output<typeof taskPreviewSchema>;
