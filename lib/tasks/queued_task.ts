import { z } from "zod";
import { STATUSES } from "./status.ts";

/** A task that has no end yet, as the list of all projects' tasks shows it to admins. */
export const queuedTaskSchema = z.object({
  task_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  template_id: z.int(),
  template_name: z.string(),
  /** Login of who started it; empty for schedules and webhooks. */
  username: z.string(),
  status: z.enum(STATUSES),
  location: z.enum(["queue", "running"]),
});
/** What the API answers. */
export type QueuedTask = z.output<typeof queuedTaskSchema>;
