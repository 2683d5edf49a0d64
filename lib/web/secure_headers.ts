import type { Middleware } from "fresh";
import type { Config } from "../base/config.ts";
import type { State } from "./state.ts";

/** Headers that every answer carries, whatever made it. */
export function secureHeaders(config: Config): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    if (response.status !== 101) addSecureHeaders(response.headers, config, ctx.url);
    return response;
  };
}

/** The policy of pages that hold no script at all. */
export const SCRIPTLESS_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Adds what `secureHeaders` adds: error pages are made outside of the middlewares. */
export function addSecureHeaders(headers: Headers, { url: publicUrl }: Config, url: URL): void {
  const overHttps = publicUrl?.protocol === "https:";
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "same-origin");
  headers.set("X-Frame-Options", "DENY");
  if (overHttps) headers.set("Strict-Transport-Security", "max-age=31536000");
  const policy = headers.get("Content-Security-Policy");
  if (!policy) return;
  // Only a rendered page has a nonce, and what is no page needs nothing inline. Over plain http
  // there is nothing to upgrade to: the browser would find no style sheet.
  const isPlain = url.protocol === "http:" && !overHttps;
  const upgraded = isPlain ? policy.replace("; upgrade-insecure-requests", "") : policy;
  headers.set("Content-Security-Policy", upgraded.replaceAll(" 'unsafe-inline'", ""));
}
