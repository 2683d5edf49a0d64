import { dirname, join } from "node:path";
import type { BuildCache, Page, RouteModule } from "./build_cache.ts";
import { callComponent, type Context, INTERNALS, type RouteComponent } from "./context.ts";
import { HttpError } from "./error.ts";
import type { Middleware, PageResponse, Route } from "./handlers.ts";
import { fits, readParams } from "./page_paths.ts";

/** Path of the routes folder, as returned by `dirname`. */
const ROOT = ".";

/**
 * Layouts and middlewares that apply to a route, or to a folder of routes and everything below it.
 */
interface Folder<State> {
  /** The outermost first. */
  layouts: RouteComponent<State>[];
  steps: Middleware<State>[];
}

type Found<State> = Folder<State> & { params: Record<string, string> };

/**
 * Returns a function that finds the route of a path below `basePath`. Literal names come before
 * parameters.
 */
export function newRouter<State>(
  { specials, pages }: BuildCache,
  middlewares: Middleware<State>[],
  basePath: string,
): (pathname: string) => Found<State> {
  const folderOf = newFolders(specials, middlewares);
  const nowhere = { ...folderOf(ROOT), params: {} };
  const routes = new Map<Page, Folder<State>>();
  const routeOf = (page: Page): Folder<State> => {
    const known = routes.get(page);
    if (known) return known;
    const { layouts, steps } = folderOf(dirname(page.id));
    const route = { layouts, steps: [...steps, lazyRoute<State>(page.load)] };
    routes.set(page, route);
    return route;
  };
  const isOpen = ({ parts: [first] }: Page) => first === undefined || first.startsWith("[");
  const open = pages.filter(isOpen);
  // Most pages are below a few names, so only those of one name are compared with a path.
  const named = new Map(
    pages.map(({ parts: [first] }) => [
      first,
      pages.filter((page) => page.parts[0] === first || isOpen(page)),
    ]),
  );
  return (pathname) => {
    if (!`${pathname}/`.startsWith(`${basePath}/`)) return nowhere;
    const path = pathname.slice(basePath.length + 1);
    const given = path === "" ? [] : path.split("/");
    const page = (named.get(given[0]) ?? open).find(({ parts }) => fits(parts, given));
    return page ? { ...routeOf(page), params: readParams(page.parts, given) } : nowhere;
  };
}

/** Returns a function that finds the layouts and middlewares of a folder by its path. */
function newFolders<State>(specials: BuildCache["specials"], middlewares: Middleware<State>[]) {
  const folders = new Map<string, Folder<State>>();
  const folderOf = (path: string): Folder<State> => {
    const known = folders.get(path);
    if (known) return known;
    const above = path === ROOT ? null : folderOf(dirname(path));
    const special = (name: string) => specials.get(join(path, name));
    const layout = special("_layout")?.default as RouteComponent<State> | undefined;
    const layouts = [...above?.layouts ?? [], ...layout ? [layout] : []];
    const error = special("_error");
    const middleware = special("_middleware");
    const steps = [
      ...above?.steps ?? [],
      ...error ? [catchErrors<State>(toRoute(error), layouts)] : [],
      ...above ? [] : middlewares,
      ...[middleware?.handler ?? middleware?.default ?? []].flat() as Middleware<State>[],
    ];
    const folder = { layouts, steps };
    folders.set(path, folder);
    return folder;
  };
  return folderOf;
}

/** Responds to errors from below a folder with the folder's error page. */
function catchErrors<State>(
  route: Route<State>,
  layouts: RouteComponent<State>[],
): Middleware<State> {
  return async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      ctx.error = error;
      ctx[INTERNALS].layouts = layouts;
      return await renderRoute(ctx, route, error instanceof HttpError ? error.status : 500);
    }
  };
}

/** A route whose module is loaded on first use. */
function lazyRoute<State>(load: () => Promise<RouteModule>): Middleware<State> {
  let route: Route<State> | null = null;
  return async (ctx) => renderRoute(ctx, route ??= toRoute(await load()));
}

const toRoute = <State>({ handler, default: component }: RouteModule) =>
  ({ handler, component }) as Route<State>;

/** Calls the route's handler. If it returned data, renders the route's component. */
async function renderRoute<State>(
  ctx: Context<State>,
  route: Route<State>,
  status = 200,
): Promise<Response> {
  const handler = findHandler(route, ctx.req.method.toUpperCase());
  const result = await (handler ? handler(ctx) : ctx.next());
  if (result instanceof Response) return result;
  const { component } = route;
  const vnode = component ? await callComponent(ctx, component, result.data, () => null) : null;
  return await ctx.render(vnode, { headers: result.headers, status: result.status ?? status });
}

const renderOnly = (): PageResponse<unknown> => ({ data: {} });

/** HEAD is handled like GET, and GET by the component if there is no handler. */
function findHandler<State>({ handler, component }: Route<State>, method: string) {
  if (typeof handler === "function") return handler;
  if (!handler) return component && renderOnly;
  const wanted = (method === "HEAD" && !handler.HEAD ? "GET" : method) as keyof typeof handler;
  return handler[wanted] ?? (wanted === "GET" && component ? renderOnly : undefined);
}

/** Runs each step as the `ctx.next` of the previous one. After the last step, throws not found. */
export function runSteps<State>(
  ctx: Context<State>,
  steps: Middleware<State>[],
  n = 0,
): Promise<Response> {
  if (n === steps.length) return Promise.reject(new HttpError(404));
  ctx.next = () => runSteps(ctx, steps, n + 1);
  const response = steps[n](ctx);
  return response instanceof Promise ? response : Promise.resolve(response);
}
