import type { AccountScope } from "../../access/scope.ts";
import {
  type BearerToken,
  claimedUserId,
  hashToken,
  newBearerToken,
} from "../../access/bearer_tokens.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { getUserRow } from "../../model/accounts.ts";
import {
  findTrustedBrowser,
  forgetTrustedBrowsers,
  isTrusted,
  listTrustedBrowsers,
  putTrustedBrowser,
} from "./repository.ts";
import { BROWSER_ID_LENGTH, type TrustedBrowserRow, type TrustedBrowserView } from "./schema.ts";

/** Adds to `op` that the account trusts this browser for 30 days. Returns the browser's cookie. */
export function trustBrowser(
  op: Atomic,
  userId: number,
  { address, userAgent }: SignInOrigin,
  now: Date,
): BearerToken {
  const token = newBearerToken(userId);
  const time = now.toISOString();
  const row: TrustedBrowserRow = {
    created: time,
    last_used: time,
    address,
    user_agent: userAgent.slice(0, 200),
  };
  putTrustedBrowser(op, userId, token.hash, row, now);
  return token;
}

/**
 * Whether this account trusts a browser. If so, `op` records its use, and fails if the browser is
 * forgotten in the meantime.
 */
export async function isTrustedBrowser(
  kv: Store,
  op: Atomic,
  userId: number,
  { address, trusted }: SignInOrigin,
  now: Date,
): Promise<boolean> {
  if (!trusted || claimedUserId(trusted) !== userId) return false;
  const entry = await findTrustedBrowser(kv, userId, hashToken(trusted));
  if (!entry.value || !isTrusted(entry.value, now)) return false;
  op.check(entry);
  const row = { ...entry.value, last_used: now.toISOString(), address };
  putTrustedBrowser(op, userId, hashToken(trusted), row, now);
  return true;
}

/** Returns the browsers that an account does not ask for a code, last used first. */
export async function listBrowsers({ deps, userId }: AccountScope): Promise<TrustedBrowserView[]> {
  const browsers = await listTrustedBrowsers(deps.kv, userId, deps.clock.now());
  return browsers.map(({ hash, row }) => ({ ...row, id: idOf(hash) }))
    .toSorted((a, b) => a.last_used < b.last_used ? 1 : -1);
}

/** Forgets one of them by its id, or all of them. Throws not found. */
export async function forgetBrowsers(
  { deps, actor, userId }: AccountScope,
  id?: string,
): Promise<void> {
  const { username: name } = await getUserRow(deps.kv, userId);
  const op = deps.kv.atomic();
  if (id) {
    const browsers = await listTrustedBrowsers(deps.kv, userId, deps.clock.now());
    const found = browsers.find(({ hash }) => idOf(hash) === id);
    if (!found) throw notFound();
    op.delete(rowKeys.trustedBrowser(userId, found.hash));
  } else await forgetTrustedBrowsers(deps.kv, userId);
  const event = { projectId: 0, object: "user", id: userId, name } as const;
  recordEvent(op, deps, actor, { ...event, action: "browsers_forgotten" });
  await op.commit();
}

const idOf = (hash: string) => hash.slice(0, BROWSER_ID_LENGTH);
