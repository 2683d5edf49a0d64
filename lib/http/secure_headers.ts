import type { Middleware } from "fresh";
import type { Config } from "../config.ts";
import type { State } from "../deps.ts";

/** Headers that every answer carries, whatever made it. */
export function secureHeaders({ url }: Config): Middleware<State> {
  const overHttps = url?.protocol === "https:";
  return async (ctx) => {
    const response = await ctx.next();
    if (response.status === 101) return response;
    const { headers } = response;
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "same-origin");
    headers.set("X-Frame-Options", "DENY");
    if (overHttps) headers.set("Strict-Transport-Security", "max-age=31536000");
    const policy = headers.get("Content-Security-Policy");
    // Over plain http there is nothing to upgrade to: the browser would find no style sheet.
    if (policy && ctx.url.protocol === "http:" && !overHttps) {
      headers.set("Content-Security-Policy", policy.replace(/;?\s*upgrade-insecure-requests/, ""));
    }
    return response;
  };
}
