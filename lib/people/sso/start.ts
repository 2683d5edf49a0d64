/*
 * The life of a sign-in through a provider: see docs/decisions/0036. The state, the nonce and the
 * secret of PKCE are encrypted, stored for ten minutes and bound to the browser (`attempts.ts`).
 * `lib/oidc/` has the endpoints and keys of the provider, and names the step and the setting of
 * each failure. The provider redirects the browser back to `finish.ts`, which takes the attempt
 * once. `prove.ts` checks the answer, exchanges the code and checks the ID token. Then the account
 * is found or created (`identities/`), group rules bring its access in line, and `completeSignIn`
 * opens the session, as for directories and passkeys.
 */

import { generateCodeVerifier, generateState } from "arctic";
import { requireSession } from "../../access/credentials.ts";
import type { PublicDeps } from "../../access/deps.ts";
import { takeCall } from "../../store/limiters/bucket.ts";
import type { AccountScope } from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/network.ts";
import { authorizationUrl } from "../../oidc/client.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import { redirectUriOf } from "../../oidc/provider.ts";
import { confirmPassword } from "../throttling/confirm_password.ts";
import { cookieName, keepAttempt, newBrowserSecret, type SsoAttempt } from "./attempts.ts";
import { logSsoFailure } from "./failures.ts";

/** Redirect of a browser to a provider. */
export interface SsoRedirect {
  url: string;
  cookie: { name: string; value: string };
}

interface Start extends Pick<SsoAttempt, "next" | "link"> {
  /** The provider's id. */
  provider: string;
  /** URL of this application as the browser sees it, without a slash at its end. */
  base: string;
  /** The address that the request came from. */
  address: string;
}

/**
 * Starts a sign-in through a provider, or a link with it. Throws a failure, or 429 after too many
 * calls.
 */
export async function startSignIn(
  deps: PublicDeps,
  { provider: id, base, address, next, link }: Start,
): Promise<SsoRedirect> {
  const seconds = takeCall(deps.kv, `sso ${networkOf(address)}`, deps.clock.ticks());
  if (seconds > 0) throw new AppError(429, "errors.too_many_sign_ins", { seconds });
  const provider = deps.providers.find(id);
  if (!provider) throw new SignInFailure("unknown_provider", "unknown provider");
  const metadata = await provider.metadata();
  const browser = newBrowserSecret();
  const attempt: SsoAttempt = {
    state: generateState(),
    nonce: generateState(),
    verifier: generateCodeVerifier(),
    redirectUri: redirectUriOf(provider, base),
    provider: id,
    issuer: metadata.server.issuer,
    browserHash: browser.hash,
    next,
    link,
    at: deps.clock.now().getTime(),
  };
  await keepAttempt(deps, attempt);
  return {
    url: authorizationUrl(provider, metadata, attempt).href,
    cookie: { name: cookieName(attempt.state), value: browser.text },
  };
}

/** Parameters for linking an account. The password is required if the account has one. */
interface StartLink extends Pick<Start, "provider" | "base" | "address"> {
  password: string;
}

/**
 * Starts to link an account with a provider, in the current session. The password is required if
 * there is one, so that no one at an unattended browser can add a way to sign in.
 */
export async function startLink(
  { deps, actor, userId }: AccountScope,
  { password, ...start }: StartLink,
): Promise<{ name: string; ssoRedirect: SsoRedirect }> {
  const session = requireSession(actor);
  await confirmPassword(deps, actor, password, "link_password");
  const link = { userId, session };
  try {
    const ssoRedirect = await startSignIn(deps, { ...start, next: "/", link });
    return { name: deps.providers.find(start.provider)!.settings.display_name, ssoRedirect };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { key, params } = logSsoFailure(deps, start.provider, error);
    throw new AppError(502, key, params);
  }
}
