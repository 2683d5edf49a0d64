import { App, csp, csrf, staticFiles } from "fresh";
import type { Deps, State } from "./deps.ts";
import { secureHeaders } from "./http/secure_headers.ts";

/** The application on `deps`: middlewares first, then the file routes. */
export function createApp(deps: Deps): App<State> {
  const { config } = deps;
  return new App<State>({ basePath: config.basePath, trustProxy: config.trustProxy })
    .use(secureHeaders(config))
    .use(staticFiles())
    .use(csrf({ origin: (origin, ctx) => isOwnOrigin(origin, ctx.url, config.url) }))
    .use(csp({ useNonce: true, csp: ["img-src 'self' data:", "style-src 'self' 'unsafe-inline'"] }))
    .use((ctx) => {
      ctx.state.deps = deps;
      return ctx.next();
    })
    .fsRoutes();
}

const isOwnOrigin = (origin: string, url: URL, publicUrl: URL | null) =>
  origin === url.origin || origin === publicUrl?.origin;

/** Requests as the routes want them: the API's clients may end a path with a slash. */
export function cropTrailingSlash(req: Request): Request {
  const url = new URL(req.url);
  if (!url.pathname.endsWith("/") || !url.pathname.includes("/api/")) return req;
  url.pathname = url.pathname.replace(/\/+$/, "");
  return new Request(url, req);
}
