import type { AnyComponent, RenderableProps, VNode } from "preact";
import type { Context, PageProps } from "./context.ts";
import type { Method } from "./router.ts";

/** Data for a page's component, and how to answer with it. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit;
  status?: number;
}

type PageOptions = { headers?: HeadersInit; status?: number };

/** Renders the route's component with `data`. */
export function page<T>(data: T, options?: PageOptions): PageResponse<T>;
export function page(): PageResponse<undefined>;
export function page<T>(data?: T, options?: PageOptions): PageResponse<T> {
  return { data: data as T, headers: options?.headers, status: options?.status };
}

export interface HandlerFn<Data, State> {
  (
    ctx: Context<State>,
  ): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

export type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

export type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

export type RouteData<Handler extends RouteHandler<unknown, unknown>> = Handler extends
  RouteHandler<infer Data, unknown> ? Data : never;

export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;
export type MiddlewareFn<State> = Middleware<State>;

export type Lazy<T> = () => Promise<T>;
export type MaybeLazy<T> = T | Lazy<T>;

export interface LayoutConfig {
  /** Leaves out the layouts of the folders above. */
  skipInheritedLayouts?: boolean;
  /** Leaves out `_app`. */
  skipAppWrapper?: boolean;
}

export interface RouteConfig extends LayoutConfig {
  /** Matches this pattern instead of the file's path. */
  routeOverride?: string;
  methods?: "ALL" | Method[];
}

/** A component that is called before rendering, and may answer by itself. */
export interface AsyncComponent<Props> {
  // deno-lint-ignore no-explicit-any
  (props: RenderableProps<Props>, context?: any): Promise<VNode<any> | Response | null>;
  displayName?: string;
  defaultProps?: Partial<Props>;
}

/** A component of a page, a layout or the app wrapper. */
export type RouteComponent<State> =
  | AnyComponent<PageProps<unknown, State>>
  | AsyncComponent<PageProps<unknown, State>>;

export interface Route<State> {
  component?: RouteComponent<State>;
  config?: RouteConfig;
  handler?: RouteHandler<unknown, State>;
}

/** Functions that give back what they get, so that TypeScript can infer its type. */
export interface Define<State> {
  handlers<Data, Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>>(
    handlers: Handlers,
  ): typeof handlers;
  page<
    // deno-lint-ignore no-explicit-any
    Handler extends RouteHandler<any, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data
      : Handler extends HandlerByMethod<infer Data, State> ? Data
      : never,
  >(render: AnyComponent<PageProps<Data, State>>): typeof render;
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;
  layout(render: AnyComponent<PageProps<unknown, State>>): typeof render;
}

/** Makes the `define` functions for one type of `ctx.state`. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}

/** Whether a route answers each method with a function of its own. */
export function isByMethod<D, S>(
  handler: RouteHandler<D, S> | undefined,
): handler is HandlerByMethod<D, S> {
  return typeof handler === "object" && handler !== null;
}
