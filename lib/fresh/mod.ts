export { App } from "./app.ts";
export type { FreshConfig } from "./config.ts";
export type { Context, PageProps } from "./context.ts";
export { HttpError } from "./error.ts";
export {
  createDefine,
  type HandlerByMethod,
  type HandlerFn,
  type Middleware,
  page,
  type RouteHandler,
} from "./handlers.ts";
export { csp, csrf } from "./security.ts";
export { staticFiles } from "./static_files.ts";
