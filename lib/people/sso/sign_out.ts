import type { Deps, PublicDeps } from "../../access/deps.ts";
import type { UserScope } from "../../access/scope.ts";
import { reveal } from "../../base/secret.ts";
import { isAlive, listSessionRows, removeSession, type SessionRow } from "../../access/sessions.ts";
import { rowKeys } from "../../store/keys.ts";
import { accessChanged } from "../../access/changed.ts";
import { hashToken } from "../../access/bearer_tokens.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import {
  LOGOUT_TOKEN_KEPT_MS,
  type LogoutToken,
  readLogoutToken,
} from "../../oidc/logout_token.ts";
import { getIdentity } from "../identities/repository.ts";

/** Sign-out at a provider. Its session would otherwise let in the next person at this browser. */
interface ProviderSignOut {
  name: string;
  url: string;
}

/** Returns the sign-out of the provider that opened the session; null if there is none. */
export async function providerSignOut(
  { deps: { kv, secrets, providers }, actor }: UserScope,
): Promise<ProviderSignOut | null> {
  const { kind, hash } = actor.credential;
  if (kind !== "session") return null;
  const { value } = await kv.get<SessionRow>(rowKeys.session(hash));
  const provider = value?.provider && providers.find(value.provider.id);
  if (!provider) return null;
  const { settings } = provider;
  // A provider that is unavailable must not keep anyone from signing out here.
  const endSession = (await provider.metadata().catch(() => null))?.server.end_session_endpoint;
  if (!endSession) return null;
  const url = new URL(endSession);
  url.searchParams.set("client_id", settings.client_id);
  const { id_token } = value.provider!;
  if (id_token) {
    url.searchParams.set("id_token_hint", reveal(await secrets.open(id_token), "provider"));
  }
  const { post_logout_redirect_url: back } = settings;
  if (back) url.searchParams.set("post_logout_redirect_uri", back);
  return { name: settings.display_name, url: url.href };
}

/** How many sessions one token can end. */
const SESSIONS_MAX = 1_000;

/**
 * Ends the sessions that a provider reports as ended. Throws a failure for a token that is not its
 * own.
 */
export async function endByProvider(deps: PublicDeps, id: string, text: string): Promise<void> {
  const { kv, providers, log } = deps;
  const provider = providers.find(id);
  if (!provider) throw new SignInFailure("unknown_provider", "unknown provider");
  const token = await readLogoutToken(provider, text);
  const key = rowKeys.logoutToken(token.issuer, hashToken(token.jti));
  const once = await kv.atomic().check({ key, versionstamp: null })
    .set(key, true, { expireIn: LOGOUT_TOKEN_KEPT_MS }).commit();
  if (!once.ok) throw new SignInFailure("untrusted", "the logout token was used before");
  const ended = await activeOf(deps, await sessionsOf(deps, token));
  for (const { userId, hash } of ended) {
    const op = kv.atomic();
    removeSession(op, userId, hash);
    await op.commit();
  }
  const users = [...new Set(ended.map(({ userId }) => userId))];
  for (const userId of users) {
    await accessChanged(deps, { project_id: null, user_id: userId });
  }
  const { subject, sid } = token;
  const whose = { ...subject && { subject }, ...sid && { sid }, users };
  log("info", "sso_back_channel_logout", { provider: id, ...whose, sessions: ended.length });
}

interface OpenSession {
  userId: number;
  hash: string;
}

/**
 * Returns the sessions that are still valid. The index of a provider's sessions outlives a session
 * that its person ended.
 */
async function activeOf({ kv, clock }: Deps, sessions: OpenSession[]): Promise<OpenSession[]> {
  const active: OpenSession[] = [];
  for (const session of sessions) {
    const { value } = await kv.get<SessionRow>(rowKeys.session(session.hash));
    if (value && isAlive(value, clock.now())) active.push(session);
  }
  return active;
}

/**
 * Returns the sessions that a token names: one of the provider's own, or all of a subject by that
 * issuer.
 */
const sessionsOf = async (deps: Deps, token: LogoutToken): Promise<OpenSession[]> => [
  ...await sessionsBySid(deps, token),
  ...await sessionsBySubject(deps, token),
];

async function sessionsBySid({ kv }: Deps, { issuer, sid }: LogoutToken): Promise<OpenSession[]> {
  if (!sid) return [];
  const selector = { prefix: rowKeys.providerSessions(issuer, sid) };
  const entries = kv.list<number>(selector, { limit: SESSIONS_MAX });
  return await Array.fromAsync(entries, ({ key, value }) => ({
    userId: value,
    hash: String(key.at(-1)),
  }));
}

/**
 * Returns the sessions of a token's subject. If the token names a session of the provider, others
 * that have such an id are left out.
 */
async function sessionsBySubject(
  { kv, clock }: Deps,
  { issuer, subject, sid }: LogoutToken,
): Promise<OpenSession[]> {
  if (!subject) return [];
  const { value } = await getIdentity(kv, { issuer, subject });
  if (!value) return [];
  const sessions = await listSessionRows(kv, value.user_id, clock.now());
  return sessions
    .filter(({ row: { provider } }) =>
      provider?.issuer === issuer && provider.subject === subject && !(sid && provider.sid)
    )
    .map(({ hash }) => ({ userId: value.user_id, hash }));
}
