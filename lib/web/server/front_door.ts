import { AppError } from "../../base/errors.ts";
import type { Deps } from "../../access/deps.ts";
import { addSecureHeaders, SCRIPTLESS_POLICY } from "./secure_headers.ts";
import { requestUi } from "../pages/request_ui.ts";
import { requestInHand } from "../../base/log.ts";
import { REQUEST_ID } from "../request_id.ts";
import { errorResponse, tellError } from "../translate_errors.ts";

type Handler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Matches a Host header: a name or an IP address, and optionally a port. DNS names have a length
 * limit.
 */
const HOST = /^(?=.{1,261}$)([\w-]+(\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * Passes valid requests to `handler` and refuses others, before the application parses their URLs.
 */
export function frontDoor(
  handler: Handler,
  { config, log }: Pick<Deps, "config" | "log">,
): Handler {
  return async (req, info) => {
    const wrong = whatIsWrong(req, config.trustProxy);
    if (!wrong) return await handler(withPlainPath(req), info);
    const ui = requestUi(req, { basePath: config.basePath, isApi: true });
    const requestId = requestInHand.getStore()!.id;
    const response = errorResponse(tellError(wrong, { ui, deps: { log }, requestId }), req);
    response.headers.set(REQUEST_ID, requestId);
    response.headers.set("Content-Security-Policy", SCRIPTLESS_POLICY);
    addSecureHeaders(response.headers, config, config.url ?? new URL("http://localhost"));
    return response;
  };
}

function whatIsWrong({ url, method, headers }: Request, trustProxy: boolean): AppError | null {
  const named = [headers.get("host"), trustProxy ? headers.get("x-forwarded-host") : null];
  if (named.some((host) => host && !HOST.test(host)) || !isHttpUrl(URL.parse(url))) {
    return new AppError(400, "errors.host");
  }
  if (METHODS.includes(method.toUpperCase())) return null;
  return new AppError(405, "errors.method", {}, { headers: { Allow: METHODS.join(", ") } });
}

/** Clients may send a full URL instead of a path, but it must not contain credentials. */
const isHttpUrl = (url: URL | null): boolean =>
  url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";

/**
 * Normalizes the path of a request. People and API clients may add a slash at the end. A percent
 * sign that is not an escape stands for itself; without this, the framework would fail.
 */
export function withPlainPath(req: Request): Request {
  // Few requests need this, and parsing a URL takes time.
  if (!/%|\/([?#]|$)/.test(req.url)) return req;
  const url = new URL(req.url);
  const path = url.pathname;
  const cropped = path === "/" ? path : path.replace(/(?<!\/)\/+$/, "");
  url.pathname = isWellEscaped(cropped) ? cropped : cropped.replaceAll("%", "%25");
  return url.pathname === path ? req : new Request(url, req);
}

function isWellEscaped(path: string): boolean {
  try {
    return decodeURI(path) !== null;
  } catch {
    return false;
  }
}
