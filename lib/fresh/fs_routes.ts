import type { Middleware, Route, RouteComponent, RouteConfig, RouteHandler } from "./handlers.ts";

export type FsRouteKind = "middleware" | "layout" | "app" | "error" | "not_found" | "route";

/** What a file in the routes folder may export. */
export interface RouteModule {
  config?: RouteConfig;
  // deno-lint-ignore no-explicit-any
  handler?: RouteHandler<any, any> | Middleware<any>[];
  // deno-lint-ignore no-explicit-any
  handlers?: RouteHandler<any, any> | Middleware<any>[];
  // deno-lint-ignore no-explicit-any
  default?: RouteComponent<any> | Middleware<any> | Middleware<any>[];
}

/** A file in the routes folder: its place in the tree of layouts, and the pattern it answers. */
export interface FsRouteFile {
  id: string;
  kind: FsRouteKind;
  /** With `(groups)`, which separate layouts and middlewares but are not part of the URL. */
  pattern: string;
  routePattern: string;
  /** A function loads the module when its route is first asked for. */
  module: RouteModule | (() => Promise<unknown>);
}

/** Checks that a file exports something useful; throws a sentence that names the file. */
export function checkModule(file: FsRouteFile, module: unknown): RouteModule {
  const { default: main, config, handler, handlers = handler } = module as RouteModule;
  const isUseful = typeof main === "function" || typeof config === "object" ||
    typeof handlers === "function" || (typeof handlers === "object" && handlers !== null) ||
    (file.kind === "middleware" && Array.isArray(main));
  if (!isUseful) throw new Error(`Could not find relevant exports in: ${file.id}`);
  if (typeof handlers === "function" && handlers.length > 1) {
    throw new Error(`Handlers must only have one argument but found more than one in: ${file.id}`);
  }
  return module as RouteModule;
}

/** The middlewares of a `_middleware` file. */
export function toMiddlewares<State>(module: RouteModule): Middleware<State>[] {
  const found = module.handlers ?? module.handler ?? module.default ?? [];
  if (Array.isArray(found)) return found;
  return typeof found === "function" ? [found as Middleware<State>] : [];
}

/** The route of a page, error page or endpoint file. */
export function toRoute<State>(module: RouteModule): Route<State> {
  return {
    config: module.config,
    handler: (module.handlers ?? module.handler) as Route<State>["handler"],
    component: module.default as RouteComponent<State>,
  };
}
