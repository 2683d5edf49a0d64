import { type Context, nonces } from "./context.ts";
import { HttpError } from "./error.ts";
import type { Middleware } from "./handlers.ts";

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
].join("; ");

/** Sets the content security policy. A nonce allows the page's own scripts and styles. */
export function csp<State>(_options: { useNonce: true }): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = nonces.get(response);
    const policy = nonce ? POLICY.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`) : POLICY;
    response.headers.set("Content-Security-Policy", policy);
    return response;
  };
}

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Refuses cross-site requests of browsers with 403, unless `isAllowed` accepts their origin. */
export function csrf<State>(
  { origin: isAllowed }: { origin(origin: string, ctx: Context<State>): boolean },
): Middleware<State> {
  return (ctx) => {
    const { method, headers } = ctx.req;
    if (SAFE_METHODS.includes(method)) return ctx.next();
    const site = headers.get("Sec-Fetch-Site");
    const origin = headers.get("Origin");
    const isFine = site === "same-origin" || site === "none" ||
      // No browser omits both headers, so this is another program, which cannot be tricked into a
      // request.
      (site === null && origin === null) ||
      (origin !== null && isAllowed(origin, ctx));
    if (!isFine) throw new HttpError(403);
    return ctx.next();
  };
}
