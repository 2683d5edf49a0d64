import { digest } from "../../base/version.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { IdentityRow, Proof, WaitingRow } from "./schema.ts";
import type { Claims } from "../../base/claims.ts";
import type { Clock } from "../../base/time/clock.ts";
import { byteLength } from "../../base/fields.ts";

/** How many providers one account can be linked with. */
export const IDENTITIES_MAX = 20;
/** How many people can wait. Others are asked to try again later. */
export const WAITING_MAX = 500;
const WAITING_KEPT_MS = 90 * 86_400_000;

type Key = Pick<IdentityRow, "issuer" | "subject">;

/** Returns the id of an identity for URLs and forms. It does not contain the subject. */
export const idOf = ({ issuer, subject }: Key): string =>
  digest(JSON.stringify([issuer, subject]), 16);

/** Returns the row of an identity. Its versionstamp is null if no account has it. */
export const getIdentity = (kv: Store, { issuer, subject }: Key) =>
  kv.get<IdentityRow>(rowKeys.identity(issuer, subject));

/** Adds an identity to `op`, new or with its last use. */
export function setIdentity(op: Atomic, row: IdentityRow): void {
  op.set(rowKeys.identity(row.issuer, row.subject), row)
    .set(rowKeys.identityByUser(row.user_id, row.issuer, row.subject), true);
}

/** Adds to `op` that an account is no longer linked with an identity. */
export function removeIdentity(op: Atomic, row: IdentityRow): void {
  op.delete(rowKeys.identity(row.issuer, row.subject))
    .delete(rowKeys.identityByUser(row.user_id, row.issuer, row.subject));
}

/** Returns the identities of an account, oldest first. The oldest names an external account. */
export async function listIdentityRows(kv: Store, userId: number): Promise<IdentityRow[]> {
  const rows: IdentityRow[] = [];
  const selector = { prefix: rowKeys.identitiesByUser(userId) };
  for await (const { key } of kv.list(selector, { limit: IDENTITIES_MAX })) {
    const [issuer, subject] = key.slice(-2) as [string, string];
    const { value } = await getIdentity(kv, { issuer, subject });
    if (value?.user_id === userId) rows.push(value);
  }
  return rows.toSorted((a, b) => a.created < b.created ? -1 : 1);
}

/** Returns identities of all accounts, up to `limit`. */
export const listAllIdentities = (kv: Store, limit: number): Promise<IdentityRow[]> =>
  Array.fromAsync(
    kv.list<IdentityRow>({ prefix: rowKeys.identities() }, { limit }),
    ({ value }) => value,
  );

/** Deletes all identities of an account that is gone. */
export async function forgetIdentities(kv: Store, userId: number): Promise<void> {
  const op = kv.atomic();
  for (const row of await listIdentityRows(kv, userId)) removeIdentity(op, row);
  await op.commit();
}

/** Returns a person who waits for approval. The versionstamp is null if they do not wait. */
export const getWaiting = (kv: Store, { issuer, subject }: Key) =>
  kv.get<WaitingRow>(rowKeys.waitingPerson(issuer, subject));

/**
 * Adds a waiting person to `op`, for 90 days, so that an administrator will have looked by then.
 */
export function setWaiting(op: Atomic, row: WaitingRow): void {
  op.set(rowKeys.waitingPerson(row.issuer, row.subject), row, { expireIn: WAITING_KEPT_MS });
}

/** Returns the people who wait, first come first. */
export async function listWaitingRows(kv: Store): Promise<WaitingRow[]> {
  const selector = { prefix: rowKeys.waitingPeople() };
  const rows = await Array.fromAsync(
    kv.list<WaitingRow>(selector, { limit: WAITING_MAX }),
    ({ value }) => value,
  );
  return rows.toSorted((a, b) => a.asked < b.asked ? -1 : 1);
}

/** How many bytes of claims are stored, to test rules on. It is far below the limit of a value. */
const CLAIMS_BYTES_MAX = 16 * 1024;

/** Returns the row of an identity that was just verified. */
export function identityRow(
  { clock }: { clock: Pick<Clock, "now"> },
  userId: number,
  { kind, provider, issuer, subject, profile, claims }: Proof,
): IdentityRow {
  const now = clock.now().toISOString();
  return {
    user_id: userId,
    kind,
    provider,
    issuer,
    subject,
    name: profile.email || profile.username,
    created: now,
    last_used: now,
    claims: shortened(claims),
  };
}

/** Returns the claims that fit the limit. */
function shortened(claims: Claims): Claims {
  let bytes = 0;
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      const length = byteLength(JSON.stringify([name, value]));
      if (bytes + length > CLAIMS_BYTES_MAX) return false;
      bytes += length;
      return true;
    }),
  );
}
