import { INTERNALS } from "./context.ts";
import type { Middleware } from "./handlers.ts";

export interface CSPOptions {
  /** Only reports what it would have refused. */
  reportOnly?: boolean;
  /** Where browsers report to. */
  reportTo?: string;
  /** Directives that are added, or take the place of those of the same name. */
  csp?: string[];
  /** Allows inline scripts and styles of the page only, by a nonce. */
  useNonce?: boolean;
}

const DEFAULTS = [
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
];

const WITH_INLINE = /^(default-src|script-src(-elem)?|style-src(-elem|-attr)?) /;

/** Sets the content security policy of each response. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const { reportOnly = false, reportTo, csp = [], useNonce = false } = options;
  const header = "Content-Security-Policy" + (reportOnly ? "-Report-Only" : "");
  const nameOf = (directive: string) => directive.split(" ")[0];
  const replaced = new Set(csp.map(nameOf));
  const directives = [...DEFAULTS.filter((one) => !replaced.has(nameOf(one))), ...csp];
  if (reportTo) directives.push("report-to csp-endpoint", `report-uri ${reportTo}`);
  const policy = directives.join("; ");

  return async (ctx) => {
    const response = await ctx.next();
    const { nonce } = ctx[INTERNALS];
    response.headers.set(header, useNonce ? withNonce(directives, nonce) : policy);
    if (reportTo) response.headers.set("Reporting-Endpoints", `csp-endpoint="${reportTo}"`);
    return response;
  };
}

/** Nothing inline but what has the nonce; nothing at all where no page was rendered. */
function withNonce(directives: string[], nonce: string | null): string {
  const allowed = nonce ? ` 'nonce-${nonce}'` : "";
  return directives.map((directive) =>
    WITH_INLINE.test(directive) ? directive.replaceAll(" 'unsafe-inline'", allowed) : directive
  ).join("; ");
}
