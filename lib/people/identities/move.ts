import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { removeIdentity, setIdentity, setWaiting } from "./repository.ts";
import type { IdentityRow, WaitingRow } from "./schema.ts";

/** How many issuers are listed at most. A server has a few. */
const ISSUERS_MAX = 1_000;

/** Returns how many identities each issuer has, by its name. */
export async function countIssuers(kv: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { key } of kv.list({ prefix: rowKeys.identities() }, { batchSize: 500 })) {
    const issuer = String(key[1]);
    if (counts.size < ISSUERS_MAX || counts.has(issuer)) {
      counts.set(issuer, (counts.get(issuer) ?? 0) + 1);
    }
  }
  return counts;
}

interface Moved {
  moved: number;
  /**
   * How many were not moved, because the new issuer already has their subject. They stay as they
   * were.
   */
  kept: number;
}

/**
 * Moves the identities of one issuer to another, and the people who wait. It can be interrupted and
 * run again.
 */
export async function moveIdentities(
  kv: Store,
  from: string,
  to: string,
): Promise<Moved> {
  const result: Moved = { moved: 0, kept: 0 };
  for await (const entry of kv.list<IdentityRow>({ prefix: rowKeys.identitiesOf(from) })) {
    const { subject } = entry.value;
    const target = { key: rowKeys.identity(to, subject), versionstamp: null };
    const op = kv.atomic().check(entry, target);
    removeIdentity(op, entry.value);
    setIdentity(op, { ...entry.value, issuer: to });
    result[(await op.commit()).ok ? "moved" : "kept"]++;
  }
  for await (const entry of kv.list<WaitingRow>({ prefix: rowKeys.waitingPeopleOf(from) })) {
    const target = { key: rowKeys.waitingPerson(to, entry.value.subject), versionstamp: null };
    const op = kv.atomic().check(entry, target).delete(entry.key);
    setWaiting(op, { ...entry.value, issuer: to });
    await op.commit();
  }
  return result;
}
