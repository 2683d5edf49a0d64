import { App, csp, csrf, staticFiles } from "fresh";
import type { Config } from "./config.ts";
import type { Deps, State } from "./deps.ts";
import { secureHeaders } from "./http/secure_headers.ts";

/** The application on `deps`: middlewares first, then the file routes. */
export function createApp(deps: Deps): App<State> {
  const { config } = deps;
  return new App<State>({ basePath: config.basePath, trustProxy: config.trustProxy })
    .use((ctx) => {
      ctx.state.deps = deps;
      return ctx.next();
    })
    .use(secureHeaders(config))
    .use(staticFiles())
    .use(csrf({
      origin: (origin, { url }) => isOwnOrigin(origin, url, config.url) || isWebhook(url, config),
    }))
    .use(csp({ useNonce: true }))
    .fsRoutes();
}

/** Webhooks come from anywhere, and heed no session. */
const isWebhook = ({ pathname }: URL, { basePath }: Config) =>
  pathname.startsWith(`${basePath}/api/integrations/`);

const isOwnOrigin = (origin: string, url: URL, publicUrl: URL | null) =>
  origin === url.origin || origin === publicUrl?.origin;

/** Requests as the routes want them: people and the API's clients may end a path with a slash. */
export function cropTrailingSlash(req: Request): Request {
  const url = new URL(req.url);
  if (!url.pathname.endsWith("/") || url.pathname === "/") return req;
  url.pathname = url.pathname.replace(/\/+$/, "");
  return new Request(url, req);
}
