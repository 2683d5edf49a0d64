import { SESSION_AGE_MAX_MS, SESSION_COOKIE, type SignInOrigin } from "../access/sessions.ts";
import type { Config } from "../base/settings/config.ts";
import type { SignedIn, SignInResult } from "../people/sessions/complete.ts";
import { type CookieOptions, getCookies, keepCookie, setCookie } from "../http/cookies.ts";

/** Shows scripts of existing clients that someone is signed in, and nothing else. */
const MARKER_COOKIE = "callboard_signed_in";

/** Marks that this browser has signed in to an account before. It does not sign in anyone. */
export const DEVICE_COOKIE = "callboard_device";

/** Exempts this browser from entering a code. It is worth nothing without the password. */
const TRUSTED_COOKIE = "callboard_trusted";
const TRUSTED_SECONDS = 30 * 86_400;

/** Identifies a sign-in that waits for its code. */
const STEP_COOKIE = "callboard_step";
const STEP_SECONDS = 10 * 60;

/** Identifies the challenge for a passkey. */
const PASSKEY_COOKIE = "callboard_passkey";
const PASSKEY_SECONDS = 5 * 60;

type CookieConfig = Pick<Config, "basePath" | "url">;

/** Adds the cookies of a new session. `url` is the request's URL as the visitor sees it. */
export function setSessionCookies(
  headers: Headers,
  config: CookieConfig,
  url: URL,
  { token, device, trusted }: SignedIn,
) {
  write(headers, config, url, [token, "1"], SESSION_AGE_MAX_MS / 1000);
  const options = optionsOf(config, url);
  setCookie(headers, STEP_COOKIE, "", { ...options, maxAgeSeconds: 0 });
  if (trusted) {
    setCookie(headers, TRUSTED_COOKIE, trusted, { ...options, maxAgeSeconds: TRUSTED_SECONDS });
  }
  if (device) keepCookie(headers, config, url, { name: DEVICE_COOKIE, value: device });
}

/**
 * Adds the cookies for the result of a sign-in: those of a session, or of a sign-in that waits for
 * a code.
 */
export function setSignInCookies(
  headers: Headers,
  config: CookieConfig,
  url: URL,
  result: SignInResult,
) {
  if (result.kind === "signed_in") return setSessionCookies(headers, config, url, result);
  const options = { ...optionsOf(config, url), maxAgeSeconds: STEP_SECONDS };
  setCookie(headers, STEP_COOKIE, result.step, options);
}

/** Returns the cookie of a sign-in that waits for its code. */
export const stepOf = (headers: Headers): string | undefined => getCookies(headers)[STEP_COOKIE];

/** Adds the cookie that identifies the challenge for a passkey. */
export const setPasskeyCookie = (headers: Headers, config: CookieConfig, url: URL, text: string) =>
  setCookie(headers, PASSKEY_COOKIE, text, {
    ...optionsOf(config, url),
    maxAgeSeconds: PASSKEY_SECONDS,
  });

/** Returns the cookie that identifies the challenge for a passkey. */
export const passkeyHolder = (headers: Headers): string | undefined =>
  getCookies(headers)[PASSKEY_COOKIE];

/** Returns the origin of a sign-in: its address, user agent and cookies of the browser. */
export function signInOrigin(headers: Headers, address: string): SignInOrigin {
  const { [DEVICE_COOKIE]: device, [TRUSTED_COOKIE]: trusted } = getCookies(headers);
  return { address, userAgent: headers.get("user-agent") ?? "", device, trusted };
}

/** Adds cookies that end the session in the browser. */
export function clearSessionCookies(headers: Headers, config: CookieConfig, url: URL) {
  write(headers, config, url, ["", ""], 0);
}

function write(
  headers: Headers,
  config: CookieConfig,
  url: URL,
  [session, marker]: [string, string],
  maxAgeSeconds: number,
) {
  const options: CookieOptions = { ...optionsOf(config, url), maxAgeSeconds };
  setCookie(headers, SESSION_COOKIE, session, options);
  setCookie(headers, MARKER_COOKIE, marker, { ...options, httpOnly: false });
}

const optionsOf = ({ basePath, url: publicUrl }: CookieConfig, url: URL) => ({
  path: basePath || "/",
  secure: (publicUrl ?? url).protocol === "https:",
});
