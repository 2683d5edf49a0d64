import type { Deps } from "../../access/deps.ts";
import type { GrantsRow } from "./schema.ts";

/** What bringing an account to what rules say takes. */
export type RuleDeps = Pick<Deps, "kv" | "clock" | "log" | "hub" | "fileRules">;

/** Whose rights are changed, and by what which provider said. */
export interface Grantee {
  userId: number;
  provider: string;
}

export const NOTHING: GrantsRow = { admin: false, said: 0, roles: {} };
