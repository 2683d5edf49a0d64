import type { BuildCache } from "./build_cache.ts";
import type { Context } from "./context.ts";
import { checkModule, type FsRouteFile, toMiddlewares, toRoute } from "./fs_routes.ts";
import {
  isByMethod,
  type MaybeLazy,
  type Middleware,
  type Route,
  type RouteComponent,
  type RouteConfig,
} from "./handlers.ts";
import { mergePath, type Method, METHODS, type Router } from "./router.ts";
import {
  compose,
  findSegment,
  middlewaresOf,
  renderRoute,
  type Segment,
  withHandler,
} from "./segments.ts";

/** What the commands of an app are applied to, in their order. */
export interface Target<State> {
  root: Segment<State>;
  router: Router<Middleware<State>>;
  basePath: string;
  buildCache: BuildCache;
}
export function asRoute<State>(route: Route<State> | Middleware<State>): Route<State> {
  return typeof route === "function" ? { handler: route } : route;
}

export function setNotFound<State>(root: Segment<State>, given: Route<State>): void {
  const route = withHandler(given);
  root.notFound = (ctx) => renderRoute(ctx, route);
}

export function addHandler<State>(
  { router, basePath }: Target<State>,
  methods: Method[],
  path: string,
  chain: Middleware<State>[],
): void {
  const composed = compose(chain);
  for (const method of methods) router.add(method, mergePath(basePath, path), composed);
}

export function addRoute<State>(
  target: Target<State>,
  segment: Segment<State>,
  path: string,
  given: MaybeLazy<Route<State>>,
  methods: RouteConfig["methods"],
): void {
  if (typeof given === "function") {
    let loaded: Route<State> | null = null;
    const chain = [
      ...middlewaresOf(segment),
      async (ctx: Context<State>) => renderRoute(ctx, loaded ??= withHandler(await given())),
    ];
    const answered = !methods || methods === "ALL" ? METHODS : methods;
    return addHandler(target, answered, path, chain);
  }
  const route = withHandler(given);
  const chain = [
    ...middlewaresOf(segment),
    (ctx: Context<State>) => renderRoute(ctx, route),
  ];
  const answered = isByMethod(route.handler) ? Object.keys(route.handler) as Method[] : METHODS;
  addHandler(target, answered, given.config?.routeOverride ?? path, chain);
}

export function addFile<State>(target: Target<State>, file: FsRouteFile): void {
  const { root } = target;
  if (typeof file.module === "function") {
    const load = file.module;
    const route = async () => toRoute<State>(checkModule(file, await load()));
    const segment = findSegment(root, file.pattern, false);
    return addRoute(target, segment, file.routePattern, route, "ALL");
  }
  const module = checkModule(file, file.module);
  const component = module.default as RouteComponent<State> | undefined;
  switch (file.kind) {
    case "middleware":
      findSegment(root, file.pattern, true).middlewares.push(...toMiddlewares<State>(module));
      break;
    case "layout":
      if (!component) break;
      findSegment(root, file.pattern, true).layout = { component, config: module.config ?? {} };
      break;
    case "app":
      if (component) root.app = component;
      break;
    case "error":
      findSegment(root, file.pattern, true).errorRoute = withHandler(toRoute(module));
      break;
    case "not_found":
      setNotFound(root, toRoute(module));
      break;
    case "route":
      addRoute(
        target,
        findSegment(root, file.pattern, false),
        file.routePattern,
        toRoute(module),
        "ALL",
      );
  }
}
