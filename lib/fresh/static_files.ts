import { BUILD_ID, CACHE_KEY } from "./build_id.ts";
import type { StaticFile } from "./build_cache.ts";
import { type Context, INTERNALS } from "./context.ts";
import type { Middleware } from "./handlers.ts";

const FOREVER = "public, max-age=31536000, immutable";
const NEVER = "no-cache, no-store, max-age=0, must-revalidate";

/** Serves the files of the static folders and the islands' bundles. */
export function staticFiles<State>(): Middleware<State> {
  return async (ctx) => {
    const pathname = staticPath(ctx);
    const file = pathname === null || pathname === "/"
      ? null
      : await ctx[INTERNALS].buildCache.findFile(pathname);
    if (file) return await serve(ctx, file);
    // Browsers ask for it unasked; no page is rendered to say that there is none.
    if (pathname === "/favicon.ico") return new Response(null, { status: 404 });
    return await ctx.next();
  };
}

/** The path below the base path, each segment encoded in one way; null when it is malformed. */
function staticPath<State>({ url, config }: Context<State>): string | null {
  try {
    const path = decodeURIComponent(url.pathname.slice(config.basePath.length));
    return "/" + path.split("/").filter(Boolean).map(encodeURIComponent).join("/");
  } catch {
    return null;
  }
}

async function serve<State>({ req, url, config }: Context<State>, file: StaticFile) {
  if (req.method !== "GET" && req.method !== "HEAD") {
    return new Response("Method Not Allowed", { status: 405 });
  }
  const cacheKey = url.searchParams.get(CACHE_KEY);
  if (cacheKey !== null && cacheKey !== BUILD_ID) return withoutCacheKey(url);

  const headers = new Headers({ "Content-Type": file.contentType, Vary: "If-None-Match" });
  const isProduction = config.mode === "production";
  if (isProduction && file.hash !== null) {
    const etag = `W/"${file.hash}"`;
    const known = req.headers.get("If-None-Match");
    if (known === etag || known === file.hash) return new Response(null, { status: 304, headers });
    headers.set("Etag", etag);
  }
  const isForever = isProduction && (cacheKey === BUILD_ID || file.immutable);
  headers.set("Cache-Control", isForever ? FOREVER : NEVER);
  headers.set("Content-Length", String(file.size));
  return new Response(req.method === "HEAD" ? null : await file.open(), { headers });
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
