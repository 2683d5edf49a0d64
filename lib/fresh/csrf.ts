import type { Context } from "./context.ts";
import { HttpError } from "./error.ts";
import type { Middleware } from "./handlers.ts";

// deno-lint-ignore no-explicit-any
export interface CsrfOptions<State = any> {
  /** The origins that may send forms; without it only the app's own. */
  origin?: string | string[] | ((origin: string, context: Context<State>) => boolean);
}

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Refuses requests that another site makes a browser send, with 403. */
export function csrf<State>({ origin: allowed }: CsrfOptions = {}): Middleware<State> {
  const isAllowed = (origin: string, ctx: Context<State>) => {
    if (!allowed) return origin === ctx.url.origin;
    if (typeof allowed === "function") return allowed(origin, ctx);
    return [allowed].flat().includes(origin);
  };

  return async (ctx) => {
    const { method, headers } = ctx.req;
    const site = headers.get("Sec-Fetch-Site");
    const origin = headers.get("Origin");
    const isFine = SAFE_METHODS.includes(method) ||
      site === "same-origin" || site === "none" ||
      // No browser leaves out both: this is a program, whose user it cannot betray.
      (site === null && origin === null) ||
      (origin !== null && isAllowed(origin, ctx));
    if (!isFine) throw new HttpError(403);
    return await ctx.next();
  };
}
