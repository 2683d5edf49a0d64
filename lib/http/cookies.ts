import { parse, serialize } from "hono/utils/cookie";
import type { Config } from "../base/settings/config.ts";

const YEAR_SECONDS = 31_536_000;

/** Returns the cookies of a request by name. */
export function getCookies(headers: Headers): Record<string, string> {
  return parse(headers.get("cookie") ?? "");
}

/** Options of a cookie. By default it is hidden from scripts and other sites. */
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

/**
 * Stores a value in this browser for a year, for the pages below `path`. An empty value deletes it.
 */
export function keepCookie(
  headers: Headers,
  config: Pick<Config, "basePath" | "url">,
  url: URL,
  { name, value, path = "" }: { name: string; value: string; path?: string },
) {
  setCookie(headers, name, value, {
    path: config.basePath + path || "/",
    secure: (config.url ?? url).protocol === "https:",
    maxAgeSeconds: value === "" ? 0 : YEAR_SECONDS,
  });
}
