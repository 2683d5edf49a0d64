import { getMimeType } from "hono/utils/mime";
import { BUNDLE_PATH } from "./build_cache.ts";
import { type Context, INTERNALS } from "./context.ts";
import type { Middleware } from "./handlers.ts";
import { BUILD_ID, CACHE_KEY } from "./runtime.ts";

const FOREVER = "public, max-age=31536000, immutable";
const NEVER = "no-cache, no-store, max-age=0, must-revalidate";

/** Serves the files of the static folders and the islands' bundles. */
export function staticFiles<State>(): Middleware<State> {
  return (ctx) => {
    const path = ctx.url.pathname.slice(ctx.config.basePath.length);
    const address = path.includes("%") ? decodeURIComponent(path) : path;
    const file = ctx[INTERNALS].buildCache.files.get(address);
    if (file) return serve(ctx, address, file);
    // Browsers request it automatically. A 404 here avoids rendering an error page.
    if (address === "/favicon.ico") return new Response(null, { status: 404 });
    return ctx.next();
  };
}

async function serve<State>(ctx: Context<State>, address: string, file: string): Promise<Response> {
  const { req, url, config } = ctx;
  if (req.method !== "GET" && req.method !== "HEAD") {
    return new Response("Method Not Allowed", { status: 405 });
  }
  const cacheKey = url.searchParams.get(CACHE_KEY);
  if (cacheKey !== null && cacheKey !== BUILD_ID) {
    // A page of an earlier build gets the current file, but not cached for a year.
    url.searchParams.delete(CACHE_KEY);
    return new Response(null, { status: 307, headers: { location: url.pathname + url.search } });
  }
  const isForever = config.mode === "production" &&
    (cacheKey !== null || address.startsWith(BUNDLE_PATH));
  const content = await ctx[INTERNALS].buildCache.read(file);
  return new Response(content, {
    headers: {
      "Content-Type": getMimeType(file) ?? "text/plain",
      "Content-Length": String(content.length),
      "Cache-Control": isForever ? FOREVER : NEVER,
    },
  });
}
