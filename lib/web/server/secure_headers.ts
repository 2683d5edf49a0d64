import type { Middleware } from "fresh";
import type { Config } from "../../base/settings/config.ts";
import type { State } from "../state.ts";

/** Adds headers to every response, wherever it was created. */
export function secureHeaders(config: Config): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    if (response.status !== 101) addSecureHeaders(response.headers, config, ctx.url);
    return response;
  };
}

/** Content security policy of pages without scripts. */
export const SCRIPTLESS_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Adds the headers of `secureHeaders`, for error pages, which are created outside of the
 * middlewares.
 */
export function addSecureHeaders(headers: Headers, { url: publicUrl }: Config, url: URL): void {
  const overHttps = publicUrl?.protocol === "https:";
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "same-origin");
  headers.set("X-Frame-Options", "DENY");
  if (overHttps) headers.set("Strict-Transport-Security", "max-age=31536000");
  const policy = headers.get("Content-Security-Policy");
  if (!policy) return;
  // Only a rendered page has a nonce, and other responses need no inline content. Over plain HTTP,
  // upgrading is not possible, and the browser would not find the style sheet.
  const isPlain = url.protocol === "http:" && !overHttps;
  const upgraded = isPlain ? policy.replace("; upgrade-insecure-requests", "") : policy;
  headers.set("Content-Security-Policy", upgraded.replaceAll(" 'unsafe-inline'", ""));
}
