import type { Context, HandlerByMethod, HandlerFn } from "fresh";
import type { State } from "../state.ts";
import { AppError } from "../../base/errors.ts";

type Methods = HandlerByMethod<never, State>;
type Method = keyof Methods;

/**
 * Handles the methods of `handlers`, HEAD like GET, and OPTIONS. Other methods get a 405. If a
 * route exported one function per method, the framework would respond with 404 instead.
 */
export function onlyMethods(handlers: Methods): HandlerFn<never, State> {
  const methods = Object.keys(handlers) as Method[];
  const headers = { Allow: allowed(methods) };
  return (ctx: Context<State>) => {
    const method = ctx.req.method as Method;
    const handler = handlers[method] ?? (method === "HEAD" ? handlers.GET : undefined);
    if (handler) return handler(ctx);
    if (method === "OPTIONS") return new Response(null, { status: 204, headers });
    throw new AppError(405, "errors.method", {}, { headers });
  };
}

function allowed(methods: Method[]): string {
  const known = new Set<string>([...methods, "OPTIONS"]);
  if (known.has("GET")) known.add("HEAD");
  return [...known].toSorted().join(", ");
}
