import { SignInFailure } from "./failure.ts";
import type { Provider } from "./provider.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** A logout token is sent at once: an older one was kept by somebody. */
const AGE_MAX_SECONDS = 5 * 60;
/** A refused sign-out leaves a session open, so clocks may differ by more than at a sign-in. */
const SKEW_SECONDS = 2 * 60;
/** How long one must be remembered that it is not taken twice. */
export const LOGOUT_TOKEN_KEPT_MS = (AGE_MAX_SECONDS + 2 * SKEW_SECONDS) * 1000;

/** Whose sessions a provider wants ended: of a subject, or one of its own. */
export interface LogoutToken {
  issuer: string;
  jti: string;
  subject?: string;
  sid?: string;
}

/** What a logout token says, verified as OpenID Connect Back-Channel Logout 1.0 asks for. */
export async function readLogoutToken(
  provider: Provider,
  token: string,
): Promise<LogoutToken> {
  const { issuer, keys } = await provider.metadata();
  if (!keys) {
    throw new SignInFailure("untrusted", "no keys to check tokens with; see endpoint.jwks");
  }
  const required = ["iat", "jti", "events"];
  const { payload, protectedHeader: { typ } } = await keys.verify(token, {
    issuer,
    required,
    ageMaxSeconds: AGE_MAX_SECONDS,
    skewSeconds: SKEW_SECONDS,
  });
  const { sub, sid, jti, events, nonce } = payload;
  const hasEvent = typeof events === "object" && events !== null && Object.hasOwn(events, EVENT);
  // What has a nonce is an ID token, which anybody who was signed in may have.
  const isOne = hasEvent && nonce === undefined &&
    (typ === undefined || /^(application\/)?(logout\+jwt|jwt)$/i.test(typ)) &&
    typeof jti === "string" && (typeof sub === "string" || typeof sid === "string");
  if (!isOne) throw new SignInFailure("untrusted", "no logout token");
  return { issuer, jti, subject: sub, sid: typeof sid === "string" ? sid : undefined };
}
