import * as z from "zod";

const named = z.array(z.object({ id: z.int(), name: z.string() }));

/** The objects that use a resource and prevent its deletion. All lists are always present. */
export const referencesSchema = z.object({
  templates: named,
  inventories: named,
  repositories: named,
  schedules: named,
  integrations: named,
  workflows: named,
  keys: named,
  environments: named,
  toolchains: named,
});
