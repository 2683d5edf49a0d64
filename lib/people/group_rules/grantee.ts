import type { Deps } from "../../access/deps.ts";
import type { GrantsRow } from "./schema.ts";

/** Dependencies for applying rules to an account. */
export type RuleDeps = Pick<Deps, "kv" | "clock" | "log" | "hub" | "fileRules">;

/** The account whose rights change, and the provider whose claims change them. */
export interface Grantee {
  userId: number;
  provider: string;
}

export const NOTHING: GrantsRow = { admin: false, said: 0, roles: {} };
