import type { Metrics } from "./metrics.ts";

type Handler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

/** Anyone can send other methods, and each would be a series. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts the requests that `handler` answers, and measures the time until it does. */
export function watchRequests(
  handler: Handler,
  { requests, requestSeconds }: Metrics,
  basePath: string,
): Handler {
  const kinds = { api: requestSeconds.labels("api"), page: requestSeconds.labels("page") };
  return async (req, info) => {
    const start = performance.now();
    const response = await handler(req, info);
    const isApi = req.url.startsWith(`${basePath}/api/`, req.url.indexOf("/", "https://".length));
    const kind = isApi ? kinds.api : kinds.page;
    kind.observe((performance.now() - start) / 1000);
    const method = METHODS.has(req.method) ? req.method : "other";
    requests.inc({ method, code: response.status });
    return response;
  };
}
