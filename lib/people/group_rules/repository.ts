import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { GrantsRow, GroupRules } from "./schema.ts";

/** More providers than a server has. */
const PROVIDERS_MAX = 100;

/** Returns the rules that administrators created. The versionstamp is null before the first. */
export const getRules = (kv: Store) => kv.get<GroupRules>(rowKeys.groupRules());

/** Returns what rules have granted an account for a provider's claims. */
export const getGrants = (kv: Store, userId: number, provider: string) =>
  kv.get<GrantsRow>(rowKeys.ruleGrants(userId, provider));

/** Returns the same for all other providers. */
export async function otherGrants(
  kv: Store,
  userId: number,
  provider: string,
): Promise<GrantsRow[]> {
  const selector = { prefix: rowKeys.ruleGrantsOf(userId) };
  const entries = kv.list<GrantsRow>(selector, { limit: PROVIDERS_MAX });
  return (await Array.fromAsync(entries)).filter(({ key }) => key[2] !== provider)
    .map(({ value }) => value);
}

/** Returns what rules have granted an account, by provider. */
export const listGrants = (
  kv: Store,
  userId: number,
): Promise<{ provider: string; entry: Deno.KvEntry<GrantsRow> }[]> =>
  Array.fromAsync(
    kv.list<GrantsRow>({ prefix: rowKeys.ruleGrantsOf(userId) }, { limit: PROVIDERS_MAX }),
    (entry) => ({ provider: String(entry.key.at(-1)), entry }),
  );

/** Adds the current grants of rules to `op`. */
export function setGrants(
  op: Atomic,
  entry: Deno.KvEntryMaybe<GrantsRow>,
  row: GrantsRow,
): void {
  const isNothing = !row.admin && Object.keys(row.roles).length === 0;
  op.check(entry);
  if (isNothing) op.delete(entry.key);
  else op.set(entry.key, row);
}

/** Forgets what rules granted to an account that is gone. */
export async function forgetGrants(kv: Store, userId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: rowKeys.ruleGrantsOf(userId) })) {
    await kv.delete(key);
  }
  await kv.delete(rowKeys.ruleWords(userId));
}
