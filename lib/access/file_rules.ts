import * as z from "zod";
import { readSettingsFile } from "../base/settings/settings_file.ts";
import type { Environment } from "../base/settings/settings.ts";
import { roleSlugField } from "./rules/role_slug.ts";

const fileRule = z.strictObject({
  provider: z.string().max(100).optional(),
  claim: z.string().min(1).max(200).default("groups"),
  value: z.string().min(1).max(300),
  gives: z.union([z.enum(["sign_in", "admin"]), roleSlugField]),
  /** Name or id of the project; required with a role. */
  project: z.union([z.string().min(1), z.int().min(1)]).optional(),
}).refine(
  ({ gives, project }) => gives === "sign_in" || gives === "admin" || project !== undefined,
  { path: ["project"], error: "is required with a role" },
);

/** A rule of the server's file that grants something to a group: see lib/people/group_rules/. */
export type FileRule = z.output<typeof fileRule>;

/** Reads the rules of the file that CALLBOARD_GROUP_RULES_FILE names. Throws ConfigError. */
export const readFileRules = async (env: Environment): Promise<FileRule[]> =>
  await readSettingsFile(env, "CALLBOARD_GROUP_RULES_FILE", z.array(fileRule).max(1_000)) ?? [];
