import { z } from "zod";
import { shortenedSchema } from "../../results/full/schema.ts";

const count = z.int();

export const hostFactsSchema = z.object({
  /** The run that gathered them; null where none has. */
  task_id: count.nullable(),
  gathered: z.iso.datetime().nullable(),
  /** As Ansible has them, without environment variables. */
  facts: z.record(z.string(), z.unknown()),
  /** Parts of `facts` of which only the beginning is kept. */
  shortened: shortenedSchema,
  /** The run that they are compared with; null for the first one. */
  since_task_id: count.nullable(),
  /** Times, free memory and the like are left out. */
  changes: z.array(z.object({
    name: z.string(),
    change: z.enum(["added", "removed", "changed"]),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })),
});
export type HostFacts = z.output<typeof hostFactsSchema>;
