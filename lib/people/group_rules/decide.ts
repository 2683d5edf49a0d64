import { type Claims, textsAt } from "../../base/claims.ts";
import { ROLES } from "../../access/permissions.ts";
import { type Decision, type GroupRule, isRole } from "./schema.ts";

/** What a provider has said of somebody. */
export interface Said {
  provider: string;
  claims: Claims;
}

/** Whether a provider says what a rule wants; the rule may be of another provider. */
export function isMatch({ claim, value }: GroupRule, claims: Claims): boolean {
  const said = textsAt(claims, claim);
  return value === "*" ? said.length > 0 : said.includes(value);
}

/** What rules give to whom a provider says that. Of several roles in a project the highest. */
export function decide(rules: readonly GroupRule[], { provider, claims }: Said): Decision {
  const own = rules.filter((rule) => rule.provider === "" || rule.provider === provider);
  const matching = own.filter((rule) => isMatch(rule, claims));
  const decision: Decision = {
    allowed: own.every(({ gives }) => gives !== "sign_in") ||
      matching.some(({ gives }) => gives === "sign_in"),
    admin: matching.some(({ gives }) => gives === "admin"),
    roles: new Map(),
  };
  // From the lowest up, so that the highest stays.
  for (const role of ROLES.toReversed()) {
    for (const { gives, project_id } of matching) {
      if (isRole(gives) && gives === role && project_id) decision.roles.set(project_id, role);
    }
  }
  return decision;
}
