import { SESSION_AGE_MAX_MS, SESSION_COOKIE, type SignInOrigin } from "../access/sessions.ts";
import type { Config } from "../base/config.ts";
import type { SignedIn } from "../people/sessions/complete.ts";
import { type CookieOptions, getCookies, keepCookie, setCookie } from "../base/cookies.ts";

/** Tells scripts of existing clients that somebody is signed in, and nothing else. */
const MARKER_COOKIE = "callboard_signed_in";

/** Says that this browser has signed in to an account before; it signs in nobody. */
export const DEVICE_COOKIE = "callboard_device";

type CookieConfig = Pick<Config, "basePath" | "url">;

/** Adds the cookies of a new session. `url` is the request's, as the visitor sees it. */
export function setSessionCookies(
  headers: Headers,
  config: CookieConfig,
  url: URL,
  { token, device }: SignedIn,
) {
  write(headers, config, url, [token, "1"], SESSION_AGE_MAX_MS / 1000);
  if (device) keepCookie(headers, config, url, { name: DEVICE_COOKIE, value: device });
}

/** Where a sign-in comes from. */
export const signInOrigin = (headers: Headers, address: string): SignInOrigin => ({
  address,
  userAgent: headers.get("user-agent") ?? "",
  device: getCookies(headers)[DEVICE_COOKIE],
});

/** Adds cookies that end the session in the browser. */
export function clearSessionCookies(headers: Headers, config: CookieConfig, url: URL) {
  write(headers, config, url, ["", ""], 0);
}

function write(
  headers: Headers,
  { basePath, url: publicUrl }: CookieConfig,
  url: URL,
  [session, marker]: [string, string],
  maxAgeSeconds: number,
) {
  const options: CookieOptions = {
    path: basePath || "/",
    secure: (publicUrl ?? url).protocol === "https:",
    maxAgeSeconds,
  };
  setCookie(headers, SESSION_COOKIE, session, options);
  setCookie(headers, MARKER_COOKIE, marker, { ...options, httpOnly: false });
}
