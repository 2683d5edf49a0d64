import type { AdminScope } from "../../access/scope.ts";
import { listProjectRows } from "../../access/projects.ts";
import { listIdentityRows } from "../identities/repository.ts";
import { explainRule, type RuleOutcome, shownClaims } from "./explain.ts";
import { rulesInForce } from "./in_force.ts";

/** A person's claims at their last sign-in with one provider, and the outcome of each rule. */
export interface SaidView {
  provider: string;
  last_used: string;
  claims: { name: string; text: string }[];
  rules: (RuleOutcome & { project: string | null })[];
}

/** Returns the claims of an account's owner by provider, for admins who check someone's rights. */
export async function readSaid({ deps }: AdminScope, userId: number): Promise<SaidView[]> {
  const identities = await listIdentityRows(deps.kv, userId);
  if (identities.length === 0) return [];
  const rules = await rulesInForce(deps);
  const projects = new Map((await listProjectRows(deps.kv)).map(({ id, name }) => [id, name]));
  return identities.map(({ provider, last_used, claims }) => ({
    provider,
    last_used,
    claims: shownClaims(claims),
    rules: rules.filter((rule) => rule.provider === "" || rule.provider === provider)
      .map((rule) => ({
        ...explainRule(rule, claims),
        project: rule.project_id === null ? null : projects.get(rule.project_id) ?? null,
      })),
  }));
}
