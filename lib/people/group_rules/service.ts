import { listProjectRows } from "../../model/projects.ts";
import { findRole, listRoleRows } from "../../access/roles.ts";
import { invalidField } from "../../base/errors.ts";
import { isFixedRole } from "../../model/roles.ts";
import type { Store } from "../../store/store.ts";
import { requireSession } from "../../access/credentials.ts";
import type { AdminScope } from "../../access/scope.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { listAllIdentities, listIdentityRows } from "../identities/repository.ts";
import { getUsers } from "../../model/accounts.ts";
import { decide } from "./decide.ts";
import { fileRulesNow, ofFile, type RuleDeps, rulesInForce } from "./in_force.ts";
import { getRules } from "./repository.ts";
import { readGivenMasks } from "./ranks.ts";
import { type FileRuleView, type GroupRules, isRole, type RulesEstimate } from "./schema.ts";
import { explainRule, type RuleOutcome, shownClaims } from "./explain.ts";

const NONE: GroupRules = { rules: [] };

/** Returns the rules that administrators created. */
export async function readGroupRules({ deps }: AdminScope): Promise<GroupRules> {
  const rules = (await getRules(deps.kv)).value ?? NONE;
  return versioned(rules, rules);
}

/** Returns the roles that rules can give besides the fixed ones, each slug once, by name. */
export async function listGivenRoles(
  { deps: { kv } }: AdminScope,
): Promise<{ slug: string; name: string }[]> {
  const places = [0, ...(await listProjectRows(kv)).map(({ id }) => id)];
  const rows = (await Promise.all(places.map((place) => listRoleRows(kv, place)))).flat();
  const names = new Map(rows.toReversed().map(({ slug, name }) => [slug, name]));
  return [...names].map(([slug, name]) => ({ slug, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns the rules of the server's file, which no page changes. */
export const listFileRules = ({ deps }: AdminScope): Promise<FileRuleView[]> =>
  fileRulesNow(deps.kv, deps.fileRules);

/**
 * Looks up the projects that the file's rules name, and logs rules that are not in force. Runs at
 * the start.
 */
export async function validateFileRules({ kv, fileRules, log }: RuleDeps): Promise<void> {
  for (const { value, gives, project, problem } of await fileRulesNow(kv, fileRules)) {
    if (problem) log("warn", "group_rule_not_in_force", { value, gives, project, why: problem });
  }
}

/** Stores rules for future sign-ins. Throws 412 if others were stored in the meantime. */
export async function saveGroupRules(
  { deps, actor }: AdminScope,
  { rules }: GroupRules,
  expected?: Expected,
): Promise<void> {
  requireSession(actor);
  await transact(deps.kv, async (op) => {
    await requireRoles(deps.kv, rules);
    const entry = await getRules(deps.kv);
    requireVersion(entry.value ?? NONE, expected);
    op.check(entry).set(rowKeys.groupRules(), { rules });
    const about = { projectId: 0, object: "group_rules", id: 0, name: "" } as const;
    const event = { ...about, action: "updated", params: { count: rules.length } };
    await recordChange(op, deps, actor, event, { before: entry.value, after: { rules } });
  });
}

/** Throws 400 for roles that do not exist in their projects. */
async function requireRoles(kv: Store, rules: GroupRules["rules"]): Promise<void> {
  for (const [n, { gives, project_id }] of rules.entries()) {
    if (!isRole(gives) || isFixedRole(gives) || project_id === null) continue;
    if (await findRole(kv, project_id, gives)) continue;
    throw invalidField(`rules.${n}.gives`, "errors.unknown_role");
  }
}

/** How many people a preview shows. */
const PREVIEW_MAX = 500;

/**
 * Returns what rules would grant everyone who has signed in through a provider, by their claims at
 * that sign-in.
 */
export async function estimateRules(
  { deps }: AdminScope,
  { rules }: GroupRules,
): Promise<RulesEstimate> {
  const all = [...await ofFile(deps.kv, deps.fileRules), ...rules];
  const maskOfGiven = await readGivenMasks(deps.kv, all);
  const identities = await listAllIdentities(deps.kv, PREVIEW_MAX + 1);
  const users = await getUsers(deps.kv, [...new Set(identities.map(({ user_id }) => user_id))]);
  const projects = new Map((await listProjectRows(deps.kv)).map(({ id, name }) => [id, name]));
  const lines = identities.slice(0, PREVIEW_MAX).flatMap((identity) => {
    const user = users.get(identity.user_id);
    if (!user) return [];
    const { allowed, admin, roles } = decide(all, identity, maskOfGiven);
    const named = [...roles].map(([id, role]) => ({ project: projects.get(id) ?? `#${id}`, role }));
    return [{ username: user.username, provider: identity.provider, allowed, admin, roles: named }];
  });
  return { lines, more: identities.length > PREVIEW_MAX };
}

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
