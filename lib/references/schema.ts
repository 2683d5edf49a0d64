import * as z from "zod";
import { namedObjectSchema } from "../base/named_object.ts";

const named = z.array(namedObjectSchema);

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
  git_credentials: named,
}).meta({ name: "References" });
