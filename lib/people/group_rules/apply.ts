import { accessChanged } from "../../access/changed.ts";
import { AppError } from "../../base/errors.ts";
import { decide, type ReportedClaims } from "./decide.ts";
import type { Proof } from "../identities/schema.ts";
import { explainRule } from "./explain.ts";
import { type RuleDeps, rulesInForce } from "./in_force.ts";
import { grantAdmin, grantRole } from "./grants.ts";
import { getGrants } from "./repository.ts";
import type { Decision, Grantee } from "./schema.ts";
import { readGivenMasks } from "./ranks.ts";
import { noteWord } from "./words.ts";

/** How many rules one line of the log explains. */
const RULES_LOGGED = 5;

/** Throws 403 if rules limit who may sign in and the provider's claims match none of them. */
export async function requireEntry(
  deps: RuleDeps,
  said: ReportedClaims & Partial<Pick<Proof, "subject" | "profile">>,
): Promise<void> {
  const rules = await rulesInForce(deps);
  if (!decide(rules, said).allowed) {
    const { provider, subject, profile } = said;
    const wanted = rules.filter(({ gives }) => gives === "sign_in").slice(0, RULES_LOGGED)
      .map((rule) => explainRule(rule, said.claims).why.params);
    deps.log("warn", "not_in_a_group", { provider, subject, username: profile?.username, wanted });
    throw new AppError(403, "errors.external.not_allowed");
  }
}

/**
 * Applies the rules to the claims that a provider has just sent for an account. They decide its
 * admin switch and its roles in projects. Rights that rules granted and no longer grant are
 * revoked. Rights that were granted by hand stay where no rule applies.
 */
export async function applyRules(
  deps: RuleDeps,
  userId: number,
  said: ReportedClaims,
): Promise<void> {
  const { provider } = said;
  const rules = await rulesInForce(deps);
  const decision = decide(rules, said, await readGivenMasks(deps.kv, rules));
  await bringTo(deps, { userId, provider }, decision);
  await noteWord(deps, { userId, provider });
}

/**
 * Grants an account what was decided, and revokes what the same provider's claims granted before.
 */
export async function bringTo(
  deps: RuleDeps,
  grantee: Grantee,
  { admin, roles }: Pick<Decision, "admin" | "roles">,
): Promise<void> {
  const { userId, provider } = grantee;
  const { value: before } = await getGrants(deps.kv, userId, provider);
  let isChanged = await grantAdmin(deps, grantee, admin);
  const projectIds = new Set([...roles.keys(), ...Object.keys(before?.roles ?? {}).map(Number)]);
  for (const projectId of projectIds) {
    const isGiven = await grantRole(deps, grantee, projectId, roles.get(projectId) ?? null);
    isChanged ||= isGiven;
  }
  if (isChanged) await accessChanged(deps, { project_id: null, user_id: userId });
}
