import { App } from "../app.ts";
import type { BuildCache, RouteModule } from "../build_cache.ts";
import type { FreshConfig } from "../config.ts";
import type { Middleware } from "../handlers.ts";
import { inOrder } from "../page_paths.ts";

interface Options<State> {
  middlewares?: Middleware<State>[];
  config?: FreshConfig;
  islands?: BuildCache["islands"];
  /** Apps by the path at which they are mounted. */
  apps?: Record<string, App<State>>;
}

/**
 * Serves modules as if they were files of the routes folder. Returns a function that requests a
 * path.
 */
export function serve<State>(
  modules: Record<string, RouteModule>,
  { middlewares = [], config, islands = new Map(), apps = {} }: Options<State> = {},
): (path: string, init?: RequestInit) => Promise<Response> {
  const entries = Object.entries(modules);
  const isSpecial = ([id]: [string, RouteModule]) => /(^|\/)_/.test(id);
  const app = new App<State>(config).use(...middlewares).fsRoutes();
  for (const [path, one] of Object.entries(apps)) app.mountApp(path, one);
  app.buildCache = {
    clientEntry: "/client.js",
    islands,
    specials: new Map(entries.filter(isSpecial)),
    pages: inOrder(
      entries.filter((entry) => !isSpecial(entry))
        .map(([id, module]) => ({ id, load: () => Promise.resolve(module) })),
    ),
    files: new Map(),
    read: () => Promise.reject(new Error("There are no files.")),
  };
  const handler = app.handler();
  return (path, init) => handler(new Request(new URL(path, "http://localhost"), init));
}
