import { type Claims, textsAt } from "../../base/claims.ts";
import { ROLES } from "../../model/roles.ts";
import { type Decision, type GroupRule, isRole } from "./schema.ts";

/** Claims of a provider about a person. */
export interface ReportedClaims {
  provider: string;
  claims: Claims;
}

/** Whether the claims match a rule. The rule may be for another provider. */
export function isMatch({ claim, value }: GroupRule, claims: Claims): boolean {
  const said = textsAt(claims, claim);
  return value === "*" ? said.length > 0 : said.includes(value);
}

/** Returns what rules grant for these claims. Of several roles in a project, the highest counts. */
export function decide(
  rules: readonly GroupRule[],
  { provider, claims }: ReportedClaims,
): Decision {
  const own = rules.filter((rule) => rule.provider === "" || rule.provider === provider);
  const matching = own.filter((rule) => isMatch(rule, claims));
  const decision: Decision = {
    allowed: own.every(({ gives }) => gives !== "sign_in") ||
      matching.some(({ gives }) => gives === "sign_in"),
    admin: matching.some(({ gives }) => gives === "admin"),
    roles: new Map(),
  };
  // The lowest role is set first, so that the highest remains.
  for (const role of ROLES.toReversed()) {
    for (const { gives, project_id } of matching) {
      if (isRole(gives) && gives === role && project_id) decision.roles.set(project_id, role);
    }
  }
  return decision;
}
