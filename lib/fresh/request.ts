import { HttpError } from "./error.ts";
import type { Method } from "./router.ts";

/** The URL as the visitor sees it, without doubled slashes that could lead to another site. */
export function requestUrl(req: Request, trustProxy: boolean): URL {
  const url = new URL(req.url);
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  if (!trustProxy) return url;
  const proto = req.headers.get("x-forwarded-proto");
  const host = req.headers.get("x-forwarded-host");
  if (proto) url.protocol = proto + ":";
  if (host) url.host = host;
  return url;
}

export function unanswered(): Promise<Response> {
  return Promise.reject(new HttpError(404));
}

export function notAllowed(method: Method, allowed: Method[]): Promise<Response> {
  if (method !== "OPTIONS") return Promise.reject(new HttpError(405));
  const headers = { Allow: allowed.join(", ") };
  return Promise.resolve(new Response(null, { status: 204, headers }));
}
