import { AppError } from "../base/errors.ts";
import type { Deps } from "../access/deps.ts";
import { addSecureHeaders, SCRIPTLESS_POLICY } from "./secure_headers.ts";
import { requestUi } from "./pages/request_ui.ts";
import { errorResponse, tellError } from "./translate_errors.ts";

type Handler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** A name or an address, and a port: what may stand in a Host header. Names of DNS are no longer. */
const HOST = /^(?=.{1,261}$)([\w-]+(\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * Lets in to `handler` what has the form of a request; other things are answered here, before
 * anything of the application, whose first step is to read an address, meets them.
 */
export function frontDoor(
  handler: Handler,
  { config, log }: Pick<Deps, "config" | "log">,
): Handler {
  return async (req, info) => {
    const wrong = whatIsWrong(req, config.trustProxy);
    if (!wrong) return await handler(withPlainPath(req), info);
    const { t } = requestUi(req, { basePath: config.basePath, isApi: true });
    const response = errorResponse(tellError(wrong, t, log));
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

/** A client may send a whole address instead of a path; nobody signs in through one. */
const isHttpUrl = (url: URL | null): boolean =>
  url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";

/**
 * The request as the routes want it: people and the API's clients may end a path with a slash, and
 * a percent sign that escapes nothing stands for itself, where the framework would give up.
 */
export function withPlainPath(req: Request): Request {
  // Seldom, and reading an address takes its time.
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
