import { z } from "zod";
import { shortenedSchema } from "../../results/schema.ts";

const count = z.int();

export const hostFactsSchema = z.object({
  /** The task that gathered them; null if none has. */
  task_id: count.nullable(),
  gathered: z.iso.datetime().nullable(),
  /** Facts as Ansible returns them, without environment variables. */
  facts: z.record(z.string(), z.unknown()),
  /** Parts of `facts` of which only the beginning is stored. */
  shortened: shortenedSchema,
  /** The task with which they are compared; null for the first one. */
  since_task_id: count.nullable(),
  /** Changes since that task, without times, free memory and similar facts. */
  changes: z.array(z.object({
    name: z.string(),
    change: z.enum(["added", "removed", "changed"]),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })),
});
export type HostFacts = z.output<typeof hostFactsSchema>;
