import { z } from "zod";
import { type Role, ROLES } from "../../access/permissions.ts";
import { lineField, optionalIdField, requiredLineField, toldAtOnce } from "../../base/fields.ts";

/** What a rule gives: that one may sign in at all, the admin switch, or a role in a project. */
export const RULE_GIVES = ["sign_in", "admin", ...ROLES] as const;

export const isRole = (gives: (typeof RULE_GIVES)[number]): gives is Role =>
  gives !== "sign_in" && gives !== "admin";

/** Rules that one page shows, and one row of the store holds. */
const RULES_MAX = 100;

export const ruleSchema = z.object({
  /** The id of a provider; empty for any. */
  provider: lineField(100).nullish().transform((text) => text ?? ""),
  /** Where a provider says it: `groups`, or with dots into what is nested. */
  claim: requiredLineField(200),
  /** A group by its whole name; `*` for any. */
  value: requiredLineField(300),
  gives: z.enum(RULE_GIVES, "errors.one_of_choices"),
  /** Of a role. */
  project_id: optionalIdField,
}).refine(({ gives, project_id }) => !isRole(gives) || project_id !== null, {
  path: ["project_id"],
  error: "errors.required",
  ...toldAtOnce,
}).transform((rule) => ({ ...rule, project_id: isRole(rule.gives) ? rule.project_id : null }));
export type GroupRule = z.output<typeof ruleSchema>;

export const groupRulesForm = z.object({
  rules: z.array(ruleSchema).max(RULES_MAX, "errors.too_many_rules").nullish()
    .transform((rules) => rules ?? []),
});
/** All rules that administrators have made, in one row. */
export type GroupRules = z.output<typeof groupRulesForm>;

/** A rule of the server's file. */
export interface FileRuleView extends GroupRule {
  /** As the file names it: by its id, or by its name. */
  project?: string | number;
  /** Why it is not in force: no project has the name, several have it, or the one meant is gone. */
  problem?: "unknown" | "ambiguous" | "gone";
}

/** What rules give to one person. */
export interface Decision {
  /** False where some rule says who may sign in, and none says that they may. */
  allowed: boolean;
  admin: boolean;
  roles: Map<number, Role>;
}

/** What is stored of what rules have given by one provider. */
export interface GrantsRow {
  admin: boolean;
  /** When the provider last spoke of the account, in milliseconds. */
  said: number;
  /** By project; `before` is what the member was by hand. */
  roles: Record<string, { role: Role; before: Role | null }>;
}

/** What somebody would get of rules that are not saved yet. */
interface PreviewLine {
  username: string;
  provider: string;
  allowed: boolean;
  admin: boolean;
  roles: { project: string; role: Role }[];
}

/** The rules that are in force, and what they would give whom. */
export interface RulesPreview {
  lines: PreviewLine[];
  /** Whether there are more people than are shown. */
  more: boolean;
}
