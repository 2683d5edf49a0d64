import { type Claims, textsAt } from "../../base/claims.ts";
import { permissionsOf } from "../../access/permissions.ts";
import { isFixedRole } from "../../model/roles.ts";
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

/**
 * Returns what rules grant for these claims. Of several roles in a project, the one with the most
 * permissions counts.
 */
export function decide(
  rules: readonly GroupRule[],
  { provider, claims }: ReportedClaims,
  maskOfGiven: (projectId: number, slug: string) => number = fixedMask,
): Decision {
  const own = rules.filter((rule) => rule.provider === "" || rule.provider === provider);
  const matching = own.filter((rule) => isMatch(rule, claims));
  const decision: Decision = {
    allowed: own.every(({ gives }) => gives !== "sign_in") ||
      matching.some(({ gives }) => gives === "sign_in"),
    admin: matching.some(({ gives }) => gives === "admin"),
    roles: new Map(),
  };
  for (const { gives, project_id } of matching) {
    if (!isRole(gives) || !project_id) continue;
    const before = decision.roles.get(project_id);
    const isHigher = before === undefined ||
      sizeOf(maskOfGiven(project_id, gives)) > sizeOf(maskOfGiven(project_id, before));
    if (isHigher) decision.roles.set(project_id, gives);
  }
  return decision;
}

const fixedMask = (_projectId: number, slug: string) => isFixedRole(slug) ? permissionsOf(slug) : 0;

/** Number of permissions in a mask. */
const sizeOf = (mask: number): number => mask.toString(2).replaceAll("0", "").length;
