import type { RuleWordsRow } from "../../access/rule_words.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { RuleDeps } from "./in_force.ts";
import { getGrants, listGrants, setGrants } from "./repository.ts";
import type { Grantee } from "./schema.ts";

type WordDeps = Pick<RuleDeps, "kv" | "clock">;

/**
 * Records that a provider has just made a statement about an account, so that its grants last from
 * now.
 */
export async function noteWord(deps: WordDeps, { userId, provider }: Grantee): Promise<void> {
  await transact(deps.kv, async (op) => {
    const grants = await getGrants(deps.kv, userId, provider);
    if (!grants.value) return;
    setGrants(op, grants, { ...grants.value, said: deps.clock.now().getTime() });
  });
  await noteOldest(deps, userId, 0);
}

/**
 * Records the time of the oldest statement that an account has grants from. `looked` is the time
 * when they were checked.
 */
export async function noteOldest(
  { kv }: Pick<WordDeps, "kv">,
  userId: number,
  looked: number,
): Promise<void> {
  await transact(kv, async (op) => {
    const key = rowKeys.ruleWords(userId);
    const [before, grants] = [await kv.get<RuleWordsRow>(key), await listGrants(kv, userId)];
    const row = { since: Math.min(...grants.map(({ entry }) => entry.value.said ?? 0)), looked };
    op.check(before, ...grants.map(({ entry }) => entry).slice(0, CHECKS_MAX));
    if (grants.length === 0) op.delete(key);
    else op.set(key, row);
  });
}

/** A commit takes ten checks, one of them for the row itself. */
const CHECKS_MAX = 9;
