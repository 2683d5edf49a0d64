export { App, type ListenOptions } from "./app.ts";
export type { Island } from "./build_cache.ts";
export type {
  Context,
  FreshConfig,
  FreshContext,
  PageProps,
  ResolvedFreshConfig,
} from "./context.ts";
export { csp, type CSPOptions } from "./csp.ts";
export { csrf, type CsrfOptions } from "./csrf.ts";
export { HttpError } from "./error.ts";
export {
  createDefine,
  type Define,
  type HandlerByMethod,
  type HandlerFn,
  type LayoutConfig,
  type Lazy,
  type MaybeLazy,
  type Middleware,
  type MiddlewareFn,
  page,
  type PageResponse,
  type RouteConfig,
  type RouteData,
  type RouteHandler,
} from "./handlers.ts";
export type { Method } from "./router.ts";
export { staticFiles } from "./static_files.ts";
export type { WebSocketHandlers, WebSocketUpgradeOptions } from "./web_socket.ts";
