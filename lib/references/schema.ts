import { z } from "zod";

const named = z.array(z.object({ id: z.int(), name: z.string() }));

/** What uses something, and so keeps it from being deleted. All five lists are always there. */
export const referencesSchema = z.object({
  templates: named,
  inventories: named,
  repositories: named,
  schedules: named,
  integrations: named,
});
