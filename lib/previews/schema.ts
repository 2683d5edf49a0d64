import { z } from "zod";
import { previewSchema } from "../tasks/preview_state.ts";

const count = z.int();

/** Some hosts by name, and how many there are besides. */
const someHosts = { hosts: z.array(z.string()), more: count };

const predictedChange = z.object({
  play_task_id: count,
  /** Name of the play task, and of the role that it is of. */
  play_task: z.string(),
  role: z.string(),
  /** A unified diff; empty where nobody knows what would change. */
  diff: z.string(),
  ...someHosts,
});

const uncheckedTask = z.object({
  play_task_id: count,
  play_task: z.string(),
  action: z.string(),
  /** On how many hosts it was left out. */
  hosts: count,
});

const carriedOutTask = z.object({
  play_task_id: count,
  play_task: z.string(),
  role: z.string(),
  action: z.string(),
  /** On how many hosts it was carried out, and how many of them it changed. */
  hosts: count,
  changed_hosts: count,
});

const differenceSchema = z.object({
  /** Whether hosts changed that were not predicted to, or predicted ones did not. */
  kind: z.enum(["unpredicted", "absent"]),
  play_task: z.string(),
  role: z.string(),
  /** The preview had left it out. */
  unchecked: z.boolean(),
  ...someHosts,
});
export type Difference = z.output<typeof differenceSchema>;

const differencesSchema = z.object({
  items: z.array(differenceSchema),
  /** There were more changes than are compared. */
  partial: z.boolean(),
});
/** With how many hosts there are of each kind. */
export interface Differences extends z.output<typeof differencesSchema> {
  unpredicted: number;
  absent: number;
}

/** What a task's preview predicts, and how what was carried out differed. */
export const taskPreviewSchema = previewSchema.extend({
  /** Whether all of it was told; where it was not, it may be more. */
  complete: z.boolean(),
  /** A change that is the same on several hosts once, by play task. */
  changes: z.array(predictedChange),
  /** Asks for the changes after these as `after`; null where these are the last. */
  next: z.string().nullable(),
  /** What check mode has left out, so that nobody knows what it would do. */
  unchecked: z.array(uncheckedTask),
  /** What the preview itself has carried out: tasks with `check_mode: false`. */
  carried_out_tasks: z.array(carriedOutTask),
  /** Where the play asks whether it is in check mode: it may do something else without. */
  check_mode: z.array(z.string()),
  /** Null until it was carried out. */
  differences: differencesSchema.nullable(),
});
export type TaskPreview = z.output<typeof taskPreviewSchema>;
