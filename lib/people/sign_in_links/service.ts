import type { AccountScope } from "../../access/scope.ts";
import { hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../kv/keys.ts";
import { completeSignIn, type SignInResult } from "../sessions/complete.ts";
import { findUser, getUserRow } from "../users/repository.ts";

/** Stored row of a link that signs in once. */
interface SignInLinkRow {
  user_id: number;
  expires: string;
}

const KEPT_MS = 15 * 60_000;
export const LINK_MINUTES = KEPT_MS / 60_000;

/**
 * Creates a text that signs in to an account once, within a short time. It is for people who cannot
 * sign in otherwise.
 */
export async function makeSignInLink(
  { deps, actor, userId }: AccountScope<Pick<Deps, "kv" | "clock">>,
): Promise<string> {
  const { username: name } = await getUserRow(deps.kv, userId);
  const { text, hash } = newBearerToken(userId);
  const expires = new Date(deps.clock.now().getTime() + KEPT_MS).toISOString();
  const row: SignInLinkRow = { user_id: userId, expires };
  const op = deps.kv.atomic().set(rowKeys.signInLink(hash), row, { expireIn: KEPT_MS });
  const event = { projectId: 0, object: "user", id: userId, name, action: "link_made" } as const;
  recordEvent(op, deps, actor, event);
  await op.commit();
  return text;
}

/** Returns the username of a link. Throws 404 for one that is used up, too old, or made up. */
export async function readSignInLink(
  { kv, clock }: PublicDeps,
  text: string,
): Promise<string> {
  const { value } = await kv.get<SignInLinkRow>(rowKeys.signInLink(hashToken(text)));
  const user = value && isFresh(value, clock.now()) && await findUser(kv, value.user_id);
  if (!user) throw notFound();
  return user.value.username;
}

/** Signs in by a link, which is then used up. Throws 404 as `readSignInLink` does. */
export async function useSignInLink(
  deps: PublicDeps,
  text: string,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const entry = await deps.kv.get<SignInLinkRow>(rowKeys.signInLink(hashToken(text)));
  if (!entry.value || !isFresh(entry.value, deps.clock.now())) throw notFound();
  const { ok } = await deps.kv.atomic().check(entry).delete(entry.key).commit();
  if (!ok) throw notFound();
  return await completeSignIn(deps, { userId: entry.value.user_id, way: "link" }, origin);
}

const isFresh = ({ expires }: SignInLinkRow, now: Date): boolean =>
  now.getTime() < Date.parse(expires);
