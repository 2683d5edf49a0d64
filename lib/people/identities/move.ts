import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { DEFAULT_ISSUER } from "../../ldap/settings.ts";
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
  isMeant: (subject: string) => boolean = () => true,
): Promise<Moved> {
  const result: Moved = { moved: 0, kept: 0 };
  for await (const entry of kv.list<IdentityRow>({ prefix: rowKeys.identitiesOf(from) })) {
    const { subject } = entry.value;
    if (!isMeant(subject)) continue;
    const target = { key: rowKeys.identity(to, subject), versionstamp: null };
    const op = kv.atomic().check(entry, target);
    removeIdentity(op, entry.value);
    setIdentity(op, { ...entry.value, issuer: to });
    result[(await op.commit()).ok ? "moved" : "kept"]++;
  }
  for await (const entry of kv.list<WaitingRow>({ prefix: rowKeys.waitingPeopleOf(from) })) {
    if (!isMeant(entry.value.subject)) continue;
    const target = { key: rowKeys.waitingPerson(to, entry.value.subject), versionstamp: null };
    const op = kv.atomic().check(entry, target).delete(entry.key);
    setWaiting(op, { ...entry.value, issuer: to });
    await op.commit();
  }
  return result;
}

/**
 * Whether an issuer is a search DN. Directories were known by it before their issuers had names.
 */
const isSearchDn = (issuer: string): boolean => /^ldap:.*=/.test(issuer);
/**
 * Whether a subject is an `entryUUID`, or an `objectGUID` as bytes in hex. No two directories give
 * the same one.
 */
const isUnique = (subject: string): boolean =>
  /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i.test(subject);

/**
 * Moves the identities of directories that were known by their search DN to the default name of a
 * directory. Ids that other directories may give as well move only from the search DN that was used
 * last, because `bob` of a former directory is someone else.
 */
export async function nameDirectories(kv: Store): Promise<void> {
  const lastUsed = new Map<string, string>();
  for await (const { value } of kv.list<IdentityRow>({ prefix: rowKeys.identities() })) {
    const { issuer, last_used } = value;
    if (isSearchDn(issuer) && last_used > (lastUsed.get(issuer) ?? "")) {
      lastUsed.set(issuer, last_used);
    }
  }
  const issuers = [...lastUsed].toSorted(([, a], [, b]) => a < b ? 1 : -1).map(([issuer]) =>
    issuer
  );
  for (const [n, issuer] of issuers.entries()) {
    await moveIdentities(kv, issuer, DEFAULT_ISSUER, n === 0 ? undefined : isUnique);
  }
}
