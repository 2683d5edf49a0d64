import { type Context, INTERNALS } from "./context.ts";
import { HttpError } from "./error.ts";
import {
  isByMethod,
  type LayoutConfig,
  type Middleware,
  type Route,
  type RouteComponent,
} from "./handlers.ts";
import { type Method, patternToSegments } from "./router.ts";

/** One folder of the URL space, with what applies to everything below it. */
export interface Segment<State> {
  parent: Segment<State> | null;
  children: Map<string, Segment<State>>;
  middlewares: Middleware<State>[];
  layout: { component: RouteComponent<State>; config: LayoutConfig } | null;
  app: RouteComponent<State> | null;
  errorRoute: Route<State> | null;
  /** Only looked at in the root. */
  notFound: Middleware<State> | null;
}

export function newSegment<State>(parent: Segment<State> | null): Segment<State> {
  return {
    parent,
    children: new Map(),
    middlewares: [],
    layout: null,
    app: null,
    errorRoute: null,
    notFound: null,
  };
}

/** The segment of `pattern`, made when it is not there yet. */
export function findSegment<State>(
  root: Segment<State>,
  pattern: string,
  withLast: boolean,
): Segment<State> {
  let current = root;
  for (const name of patternToSegments(pattern, withLast)) {
    const child = current.children.get(name) ?? newSegment(current);
    current.children.set(name, child);
    current = child;
  }
  return current;
}

/** What runs before a route of `segment`: as it stands now, so later additions do not apply. */
export function middlewaresOf<State>(segment: Segment<State>): Middleware<State>[] {
  const above = segment.parent ? middlewaresOf(segment.parent) : [];
  return [...above, segmentMiddleware(segment), ...segment.middlewares];
}

/** Makes a segment's app wrapper and layout known, and answers errors from below it. */
function segmentMiddleware<State>(segment: Segment<State>): Middleware<State> {
  const { app, layout, errorRoute } = segment;
  let root = segment;
  while (root.parent) root = root.parent;

  return async (ctx) => {
    const ui = ctx[INTERNALS];
    if (app) ui.app = app;
    if (layout?.config.skipAppWrapper) ui.app = null;
    if (layout) {
      const inherited = layout.config.skipInheritedLayouts ? [] : ui.layouts;
      ui.layouts = [...inherited, layout.component];
    }
    try {
      return await ctx.next();
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 500;
      if (status === 404 && root.notFound) return await root.notFound(ctx);
      if (errorRoute) return await renderRoute(ctx, errorRoute, status);
      throw error;
    }
  };
}

/** Makes one middleware of several; each gets the next one as `ctx.next`. */
export function compose<State>(middlewares: Middleware<State>[]): Middleware<State> {
  return (ctx) => {
    const last = ctx.next;
    const ui = ctx[INTERNALS];

    const run = async (index: number): Promise<Response> => {
      if (index === middlewares.length) return await last();
      const { app, layouts } = ui;
      ctx.next = () => run(index + 1);
      try {
        return await middlewares[index](ctx);
      } catch (error) {
        ctx.error = error;
        throw error;
      } finally {
        ui.app = app;
        ui.layouts = layouts;
      }
    };
    return run(0);
  };
}

/** Gives a route what answers when it has no handler: its component, or 404. */
export function withHandler<State>(route: Route<State>): Route<State> {
  const { handler, component } = route;
  if (handler === undefined) {
    return { ...route, handler: component ? renderOnly : notFound };
  }
  if (component && isByMethod(handler) && !handler.GET) {
    return { ...route, handler: { ...handler, GET: renderOnly } };
  }
  return route;
}

const renderOnly = () => ({ data: {} });

function notFound(): never {
  throw new HttpError(404);
}

/** Calls the route's handler and, when it gave data, renders the route's component. */
export async function renderRoute<State>(
  ctx: Context<State>,
  route: Route<State>,
  status = 200,
): Promise<Response> {
  const ui = ctx[INTERNALS];
  if (route.config?.skipAppWrapper) ui.app = null;
  if (route.config?.skipInheritedLayouts) ui.layouts = [];

  const handler = findHandler(route, ctx.req.method.toUpperCase() as Method);
  const result = handler ? await handler(ctx) : await ctx.next();
  if (result instanceof Response) return result;

  const headers = new Headers(result.headers);
  const vnode = route.component ? await ui.renderComponent(route.component, result.data) : null;
  if (vnode instanceof Response) return vnode;
  return await ctx.render(vnode, { headers, status: result.status ?? status });
}

function findHandler<State>({ handler }: Route<State>, method: Method) {
  if (!isByMethod(handler)) return handler;
  return handler[method] ?? (method === "HEAD" ? handler.GET : undefined);
}
