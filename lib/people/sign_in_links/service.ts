import type { AccountScope } from "../../access/scope.ts";
import { hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import type { Deps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../kv/keys.ts";
import { completeSignIn, type SignedIn } from "../sessions/complete.ts";
import { findUser, getUser } from "../users/repository.ts";

/** What is stored of a link that signs in once. */
interface SignInLinkRow {
  user_id: number;
  expires: string;
}

const KEPT_MS = 15 * 60_000;
export const LINK_MINUTES = KEPT_MS / 60_000;

/** A text that signs in to an account once, and not for long: for whom nothing else lets in. */
export async function makeSignInLink(
  { deps, actor, userId }: AccountScope<Pick<Deps, "kv" | "clock">>,
): Promise<string> {
  const { username: name } = await getUser(deps.kv, userId);
  const { text, hash } = newBearerToken(userId);
  const expires = new Date(deps.clock.now().getTime() + KEPT_MS).toISOString();
  const row: SignInLinkRow = { user_id: userId, expires };
  const op = deps.kv.atomic().set(rowKeys.signInLink(hash), row, { expireIn: KEPT_MS });
  const event = { projectId: 0, object: "user", id: userId, name, action: "link_made" } as const;
  recordEvent(op, deps, actor, event);
  await op.commit();
  return text;
}

/** Whom a link would sign in; throws 404 for one that is used up, too old, or made up. */
export async function readSignInLink({ kv, clock }: Deps, text: string): Promise<string> {
  const { value } = await kv.get<SignInLinkRow>(rowKeys.signInLink(hashToken(text)));
  const user = value && isFresh(value, clock.now()) && await findUser(kv, value.user_id);
  if (!user) throw notFound();
  return user.value.username;
}

/** Signs in by a link, which ends with this. Throws 404 as `readSignInLink` does. */
export async function useSignInLink(
  deps: Deps,
  text: string,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const entry = await deps.kv.get<SignInLinkRow>(rowKeys.signInLink(hashToken(text)));
  if (!entry.value || !isFresh(entry.value, deps.clock.now())) throw notFound();
  const { ok } = await deps.kv.atomic().check(entry).delete(entry.key).commit();
  if (!ok) throw notFound();
  return await completeSignIn(deps, { userId: entry.value.user_id }, origin);
}

const isFresh = ({ expires }: SignInLinkRow, now: Date): boolean =>
  now.getTime() < Date.parse(expires);
