import { SignInFailure } from "./failure.ts";
import type { Provider } from "./provider.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** A logout token is sent immediately, so an older one was stored by someone. */
const AGE_MAX_SECONDS = 5 * 60;
/** Refusing a sign-out leaves a session open, so clocks may differ by more than at a sign-in. */
const SKEW_SECONDS = 2 * 60;
/** How long a used token must be remembered, so that it is not accepted twice. */
export const LOGOUT_TOKEN_KEPT_MS = (AGE_MAX_SECONDS + 2 * SKEW_SECONDS) * 1000;

/** Sessions that a provider wants to end: those of a subject, or one by the provider's own id. */
export interface LogoutToken {
  issuer: string;
  jti: string;
  subject?: string;
  sid?: string;
}

/**
 * Verifies a logout token as OpenID Connect Back-Channel Logout 1.0 requires, and returns its
 * content.
 */
export async function readLogoutToken(
  provider: Provider,
  token: string,
): Promise<LogoutToken> {
  const { server: { issuer }, keys } = await provider.metadata();
  const required = ["iat", "jti", "events"];
  const { payload, protectedHeader: { typ } } = await keys.verify(token, {
    issuer,
    required,
    ageMaxSeconds: AGE_MAX_SECONDS,
    skewSeconds: SKEW_SECONDS,
  });
  const { sub, sid, jti, events, nonce } = payload;
  const hasEvent = typeof events === "object" && events !== null && Object.hasOwn(events, EVENT);
  // A token with a nonce is an ID token, which anyone who was signed in may have.
  const isOne = hasEvent && nonce === undefined &&
    (typ === undefined || /^(application\/)?(logout\+jwt|jwt)$/i.test(typ)) &&
    typeof jti === "string" && (typeof sub === "string" || typeof sid === "string");
  if (!isOne) throw new SignInFailure("untrusted", "no logout token");
  return { issuer, jti, subject: sub, sid: typeof sid === "string" ? sid : undefined };
}
