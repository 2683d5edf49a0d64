import { z } from "zod";
import { STATUSES } from "./status.ts";

/** An unfinished task in the list of all projects' tasks, which admins see. */
export const queuedTaskSchema = z.object({
  task_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  template_id: z.int(),
  template_name: z.string(),
  /** Login of the person who started it; empty for schedules and webhooks. */
  username: z.string(),
  status: z.enum(STATUSES),
  location: z.enum(["queue", "running"]),
});
/** Queued task in API responses. */
export type QueuedTask = z.output<typeof queuedTaskSchema>;
