import * as z from "zod";
import { roleSlugField } from "../../access/rules/role_slug.ts";
import {
  evenIfFieldsFail,
  lineField,
  optionalIdField,
  requiredLineField,
} from "../../base/fields.ts";

/** Rights that a rule can grant besides a role in a project: to sign in at all, and to be admin. */
export const RULE_GIVES = ["sign_in", "admin"] as const;

/** Whether what a rule grants is the slug of a role. */
export const isRole = (gives: string): boolean =>
  !(RULE_GIVES as readonly string[]).includes(gives);

/** How many rules one page shows, and one row of the store holds. */
const RULES_MAX = 100;

export const ruleSchema = z.object({
  /** Id of a provider; empty for any. */
  provider: lineField(100).nullish().transform((text) => text ?? ""),
  /** Path of the claim: `groups`, or with dots if it is nested. */
  claim: requiredLineField(200),
  /** Complete name of a group; `*` for any. */
  value: requiredLineField(300),
  gives: roleSlugField,
  /** Project of a role. */
  project_id: optionalIdField,
}).refine(({ gives, project_id }) => !isRole(gives) || project_id !== null, {
  path: ["project_id"],
  error: "errors.required",
  ...evenIfFieldsFail,
}).transform((rule) => ({ ...rule, project_id: isRole(rule.gives) ? rule.project_id : null }));
export type GroupRule = z.output<typeof ruleSchema>;

export const groupRulesForm = z.object({
  rules: z.array(ruleSchema).max(RULES_MAX, "errors.too_many_rules").nullish()
    .transform((rules) => rules ?? []),
});
/** All rules that administrators created, in one row. */
export type GroupRules = z.output<typeof groupRulesForm>;

export interface FileRuleView extends GroupRule {
  /** Project as the file names it, by id or by name. */
  project?: string | number;
  /**
   * Reason why it is not in force: no project has the name, several have it, or the one meant is
   * gone.
   */
  problem?: "unknown" | "ambiguous" | "gone";
}

/** Rights that rules grant to one person. */
export interface Decision {
  /** False if rules limit who may sign in and none of them matches. */
  allowed: boolean;
  admin: boolean;
  roles: Map<number, string>;
}

/** The account whose rights change, and the provider whose claims change them. */
export interface Grantee {
  userId: number;
  provider: string;
}

/** Stored row of what rules have granted for one provider's claims. */
export interface GrantsRow {
  admin: boolean;
  /** Time of the provider's last statement about the account, in milliseconds. */
  said: number;
  /** Roles by project; `before` is the role that the member had by hand. */
  roles: Record<string, { role: string; before: string | null }>;
}

/** Rights that someone would get from rules that are not saved yet. */
interface EstimateLine {
  username: string;
  provider: string;
  allowed: boolean;
  admin: boolean;
  roles: { project: string; role: string }[];
}

/** Estimate of the rights that rules would grant, and to whom. */
export interface RulesEstimate {
  lines: EstimateLine[];
  /** Whether there are more people than are shown. */
  more: boolean;
}
