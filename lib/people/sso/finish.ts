import { openAccount } from "../../access/scope.ts";
import type { UserActor } from "../../access/actor.ts";
import { hashToken } from "../../access/bearer_tokens.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import type { Sentence } from "../../base/errors.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import { linkIdentity } from "../identities/service.ts";
import { signInExternal, type SignInResult } from "../sessions/complete.ts";
import { cookieName, type SsoAttempt, takeAttempt } from "./attempts.ts";
import { logSsoFailure, type Person } from "./failures.ts";
import { prove } from "./prove.ts";

/** Return of a browser from a provider. */
interface Return {
  /** Id in the URL that the browser came back to. */
  provider: string;
  answer: URLSearchParams;
  cookies: Record<string, string>;
  /** The user who is already signed in here. */
  actor: UserActor | null;
  origin: SignInOrigin;
}

/** Result of a return: the next page, with a session, a link, or a message why it failed. */
export interface SsoResult {
  next: string;
  isLink: boolean;
  /** Name of the attempt's cookie, which is no longer needed. */
  cookie: string;
  signedIn?: SignInResult;
  failed?: Sentence;
}

/**
 * Completes what `startSignIn` began. Failures that a provider or a visitor can cause are returned,
 * not thrown.
 */
export async function finishSignIn(deps: PublicDeps, back: Return): Promise<SsoResult> {
  const state = back.answer.get("state") ?? "";
  const attempt = await takeAttempt(deps, state);
  const arrival = {
    next: attempt?.next ?? "/",
    isLink: attempt?.link !== undefined,
    cookie: cookieName(state),
  };
  let person: Person | undefined;
  try {
    const own = requireOwn(attempt, back, arrival.cookie);
    const signedIn = await completeReturn(deps, back, own, (who) => person = who);
    return { ...arrival, ...signedIn && { signedIn } };
  } catch (error) {
    return { ...arrival, failed: logSsoFailure(deps, back.provider, error, person) };
  }
}

/**
 * Returns the attempt if it began in this browser and at this provider. Throws a failure unless
 * state, cookie and URL agree.
 */
function requireOwn(
  attempt: SsoAttempt | null,
  { provider, cookies }: Return,
  cookie: string,
): SsoAttempt {
  if (!attempt) {
    throw new SignInFailure("expired", "unknown state: used before, expired, or forged");
  }
  if (hashToken(cookies[cookie] ?? "") !== attempt.browserHash) {
    throw new SignInFailure("expired", "started in another browser");
  }
  if (attempt.provider !== provider) {
    throw new SignInFailure("untrusted", "started at another provider");
  }
  return attempt;
}

async function completeReturn(
  deps: Deps,
  { actor, answer, origin }: Return,
  attempt: SsoAttempt,
  onPerson: (person: Person) => void,
): Promise<SignInResult | null> {
  const provider = deps.providers.find(attempt.provider);
  if (!provider) throw new SignInFailure("unknown_provider", "no longer in the settings");
  const { proof, sid, idToken } = await prove(
    deps,
    provider,
    attempt,
    answer,
    onPerson,
  );
  const { link } = attempt;
  if (!link) {
    const { new_accounts: newAccounts } = provider.settings;
    return await signInExternal(deps, proof, { newAccounts, sid, idToken }, origin);
  }
  if (actor?.id !== link.userId || actor.credential.hash !== link.session) {
    throw new SignInFailure("expired", "the session that asked for the link has ended");
  }
  await linkIdentity(openAccount({ deps, actor }, actor.id), proof);
  return null;
}
