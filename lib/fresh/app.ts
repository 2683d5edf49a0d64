import type { BuildCache, Page } from "./build_cache.ts";
import type { FreshConfig } from "./config.ts";
import { Context, type RouteComponent } from "./context.ts";
import { answerError } from "./error.ts";
import type { Middleware, Route } from "./handlers.ts";
import { partsOfPattern } from "./page_paths.ts";
import { newRouter, runSteps } from "./routes.ts";

const LOCAL: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Combines middlewares and the routes folder into one request handler. */
export class App<State> {
  config: Required<FreshConfig>;
  /** Output of a build, set by `server.js` or by the builder. */
  buildCache: BuildCache | null = null;
  #middlewares: Middleware<State>[] = [];
  #hasRoutes = false;
  #routes: { path: string; load: () => Promise<Route<State>> }[] = [];

  constructor({ basePath = "", mode = "production", trustProxy = false }: FreshConfig = {}) {
    this.config = { basePath, mode, trustProxy };
  }

  /** Adds middlewares for all paths. */
  use(...middlewares: Middleware<State>[]): this {
    if (this.#hasRoutes) throw new Error("A middleware after fsRoutes() applies to no route.");
    this.#middlewares.push(...middlewares);
    return this;
  }

  /** Adds the routes folder after the middlewares. */
  fsRoutes(): this {
    if (this.#routes.length > 0) throw new Error("fsRoutes() applies to no route before it.");
    this.#hasRoutes = true;
    return this;
  }

  /** Adds a route for a path such as "/things/:id", which is loaded at its first request. */
  route(path: string, load: () => Promise<Route<State>>): this {
    this.#routes.push({ path, load });
    return this;
  }

  /**
   * Adds the routes of another app below `path`. They get the layouts and middlewares of the routes
   * folder that apply there, and come after its files.
   */
  mountApp(path: string, app: App<State>): this {
    if (app.#hasRoutes || app.#middlewares.length > 0) {
      throw new Error("The stand-in for Fresh mounts only apps of route().");
    }
    for (const route of app.#routes) this.route(`${path}/${route.path}`, route.load);
    return this;
  }

  /** Returns the handler for `Deno.serve` or for a test. */
  handler(): (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const { config, buildCache } = this;
    if (!buildCache || !this.#hasRoutes) throw new Error("An app needs a build and fsRoutes().");
    const pages = [...buildCache.pages, ...this.#routes.map(asPage)];
    const find = newRouter({ ...buildCache, pages }, this.#middlewares, config.basePath);
    const app = (buildCache.specials.get("_app")?.default ?? null) as RouteComponent<State> | null;
    return async (req, info = LOCAL) => {
      try {
        const url = requestUrl(req, config.trustProxy);
        const { params, layouts, steps } = find(url.pathname);
        const surroundings = { buildCache, app, layouts };
        const ctx = new Context<State>(req, url, info, params, config, surroundings);
        const response = await runSteps(ctx, steps);
        return req.method === "HEAD" ? new Response(null, response) : response;
      } catch (error) {
        return answerError(error);
      }
    };
  }
}

/** Returns a route as if it were the index of a folder of its own. */
function asPage<State>({ path, load }: { path: string; load: () => Promise<Route<State>> }): Page {
  const parts = partsOfPattern(path);
  return {
    id: [...parts, "index"].join("/"),
    parts,
    async load() {
      const { handler, component } = await load();
      return { handler, default: component };
    },
  };
}

/**
 * Returns the URL as the visitor sees it. Removes doubled slashes, which could lead to another
 * site.
 */
function requestUrl(req: Request, trustProxy: boolean): URL {
  const url = new URL(req.url);
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  if (!trustProxy) return url;
  const proto = req.headers.get("x-forwarded-proto");
  const host = req.headers.get("x-forwarded-host");
  if (proto) url.protocol = proto + ":";
  if (host) url.host = host;
  return url;
}
