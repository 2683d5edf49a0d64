import { getMimeType } from "hono/utils/mime";
import { BUILD_ID, CACHE_KEY } from "./build_id.ts";
import type { BuildCache, StaticFile } from "./build_cache.ts";
import { type Context, INTERNALS } from "./context.ts";
import type { Middleware } from "./handlers.ts";

const FOREVER = "public, max-age=31536000, immutable";
const NEVER = "no-cache, no-store, max-age=0, must-revalidate";

/** Serves the files of the static folders and the islands' bundles. */
export function staticFiles<State>(): Middleware<State> {
  return async (ctx) => {
    const { buildCache } = ctx[INTERNALS];
    const path = staticPath(ctx);
    const file = buildCache.files.get(path);
    if (file) return await serve(ctx, file, buildCache);
    // Browsers ask for it unasked; no page is rendered to say that there is none.
    if (path === "/favicon.ico") return new Response(null, { status: 404 });
    return await ctx.next();
  };
}

/** The decoded path below the base path; empty when it is malformed. */
function staticPath<State>({ url, config }: Context<State>): string {
  try {
    return decodeURIComponent(url.pathname.slice(config.basePath.length));
  } catch {
    return "";
  }
}

async function serve<State>(ctx: Context<State>, file: StaticFile, buildCache: BuildCache) {
  const { req, url, config } = ctx;
  if (req.method !== "GET" && req.method !== "HEAD") {
    return new Response("Method Not Allowed", { status: 405 });
  }
  const cacheKey = url.searchParams.get(CACHE_KEY);
  if (cacheKey !== null && cacheKey !== BUILD_ID) return withoutCacheKey(url);

  const contentType = getMimeType(file.path) ?? "text/plain";
  const headers = new Headers({ "Content-Type": contentType, Vary: "If-None-Match" });
  const isProduction = config.mode === "production";
  if (isProduction) {
    const etag = `W/"${file.hash}"`;
    const known = req.headers.get("If-None-Match");
    if (known === etag || known === file.hash) return new Response(null, { status: 304, headers });
    headers.set("Etag", etag);
  }
  const isForever = isProduction && (cacheKey === BUILD_ID || file.isBundle);
  headers.set("Cache-Control", isForever ? FOREVER : NEVER);
  const content = await buildCache.read(file);
  headers.set("Content-Length", String(content.length));
  return new Response(req.method === "HEAD" ? null : content, { headers });
}

/** A page of an earlier build gets the file as it is now, but not for a year. */
function withoutCacheKey(url: URL): Response {
  const plain = new URL(url);
  plain.searchParams.delete(CACHE_KEY);
  return new Response(null, {
    status: 307,
    headers: { location: plain.pathname + plain.search },
  });
}
