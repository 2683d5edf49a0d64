import { authenticate } from "../../access/authenticate.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { isRecentWord, mustCheckRules, type RuleWordsRow } from "../../access/rule_words.ts";
import type { AccountScope } from "../../access/scope.ts";
import { rowKeys } from "../../store/keys.ts";
import { isOffered, unlinkIdentity } from "../identities/service.ts";
import { listIdentityRows } from "../identities/repository.ts";
import { bringTo } from "./apply.ts";
import type { RuleDeps } from "./in_force.ts";
import { listGrants } from "./repository.ts";
import { noteOldest } from "./words.ts";

type LookDeps = RuleDeps & Pick<Deps, "config" | "directory" | "providers">;

/**
 * Revokes what rules granted an account for a provider that it is no longer linked with, that this
 * server no longer has, or whose last statement is too old. Rights that were granted by hand before
 * come back. The last admin and the last owner keep theirs.
 */
async function takeBackOld(deps: LookDeps, userId: number): Promise<void> {
  const { kv, clock, config, log } = deps;
  const now = clock.now();
  const identities = await listIdentityRows(kv, userId);
  for (const { provider, entry } of await listGrants(kv, userId)) {
    const isLinked = identities.some((one) => one.provider === provider && isOffered(deps, one));
    if (isLinked && isRecentWord(entry.value.said ?? 0, now, config.groupRulesDays)) continue;
    const why = isLinked ? "the provider's word is too old" : "not linked with the provider";
    log("info", "rules_taken_back", { user: userId, provider, why });
    await bringTo(deps, { userId, provider }, { admin: false, roles: new Map() });
  }
  await noteOldest(deps, userId, now.getTime());
}

/** Revokes expired rights of an account on which something of another person depends. */
export async function takeBackDue(deps: LookDeps, userId: number): Promise<void> {
  const { value } = await deps.kv.get<RuleWordsRow>(rowKeys.ruleWords(userId));
  const isDue = mustCheckRules(value, deps.clock.now(), deps.config.groupRulesDays);
  if (isDue) await takeBackOld(deps, userId);
}

/** Authenticates as `authenticate` does, after rights that have expired were revoked. */
export async function authenticateNow(
  deps: PublicDeps,
  req: Request,
  projectId: number,
  address: string,
) {
  const asker = await authenticate(deps, req, projectId, address);
  if (!asker?.mustCheckRules) return asker;
  const { id, credential: { ofProject } } = asker.actor;
  await takeBackOld(deps, ofProject?.creatorId ?? id);
  return await authenticate(deps, req, projectId, address);
}

/**
 * Unlinks an account as `unlinkIdentity` does, and revokes what rules granted for that provider.
 */
export async function unlinkProvider(
  scope: AccountScope,
  id: string,
  password?: string,
): Promise<void> {
  await unlinkIdentity(scope, id, password);
  await takeBackOld(scope.deps, scope.userId);
}

/** Revokes what rules granted for providers that this server no longer has. Runs at the start. */
export async function takeBackOfGoneProviders(deps: LookDeps): Promise<void> {
  const userIds = new Set<number>();
  for await (const { key } of deps.kv.list({ prefix: rowKeys.allRuleGrants() })) {
    const [, userId, provider] = key as [string, number, string];
    const identities = await listIdentityRows(deps.kv, userId);
    const isLinked = identities.some((one) => one.provider === provider && isOffered(deps, one));
    if (!isLinked) userIds.add(userId);
  }
  for (const userId of userIds) await takeBackOld(deps, userId);
}
