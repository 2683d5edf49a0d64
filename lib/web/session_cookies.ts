import { SESSION_AGE_MAX_MS, SESSION_COOKIE, type SignInOrigin } from "../access/sessions.ts";
import type { Config } from "../base/config.ts";
import type { SignedIn, SignInResult } from "../people/sessions/complete.ts";
import { type CookieOptions, getCookies, keepCookie, setCookie } from "../base/cookies.ts";

/** Tells scripts of existing clients that somebody is signed in, and nothing else. */
const MARKER_COOKIE = "callboard_signed_in";

/** Says that this browser has signed in to an account before; it signs in nobody. */
export const DEVICE_COOKIE = "callboard_device";

/** Says that this browser is to be asked for no code; worth nothing without the password. */
const TRUSTED_COOKIE = "callboard_trusted";
const TRUSTED_SECONDS = 30 * 86_400;

/** Of a sign-in that waits for its code. */
const STEP_COOKIE = "callboard_step";
const STEP_SECONDS = 10 * 60;

/** Of what a passkey is to sign. */
const PASSKEY_COOKIE = "callboard_passkey";
const PASSKEY_SECONDS = 5 * 60;

type CookieConfig = Pick<Config, "basePath" | "url">;

/** Adds the cookies of a new session. `url` is the request's, as the visitor sees it. */
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

/** Adds the cookies of what a way in has led to: of a session, or of the wait for a code. */
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

/** The cookie of a sign-in that waits for its code. */
export const stepOf = (headers: Headers): string | undefined => getCookies(headers)[STEP_COOKIE];

/** Adds the cookie of what a passkey is to sign. */
export const setPasskeyCookie = (headers: Headers, config: CookieConfig, url: URL, text: string) =>
  setCookie(headers, PASSKEY_COOKIE, text, {
    ...optionsOf(config, url),
    maxAgeSeconds: PASSKEY_SECONDS,
  });

/** The cookie of what a passkey is to sign. */
export const passkeyHolder = (headers: Headers): string | undefined =>
  getCookies(headers)[PASSKEY_COOKIE];

/** Where a sign-in comes from. */
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
