import { parse, serialize } from "hono/utils/cookie";

/** The cookies of a request by name. */
export function getCookies(headers: Headers): Record<string, string> {
  return parse(headers.get("cookie") ?? "");
}

/** Options of a cookie of ours: kept from scripts and other sites unless said otherwise. */
export interface CookieOptions {
  path: string;
  secure: boolean;
  httpOnly?: boolean;
  maxAgeSeconds?: number;
}

/** Adds a Set-Cookie header. */
export function setCookie(headers: Headers, name: string, value: string, options: CookieOptions) {
  const { path, secure, httpOnly = true, maxAgeSeconds } = options;
  headers.append(
    "Set-Cookie",
    serialize(name, value, { path, secure, httpOnly, sameSite: "Lax", maxAge: maxAgeSeconds }),
  );
}
