import type { Config } from "../../base/settings/config.ts";
import { type Log, requestInHand } from "../../base/log.ts";
import { clientAddress } from "../client_address.ts";
import { requestIdOf } from "../request_id.ts";

type Handler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

const PATH_LENGTH_MAX = 1_000;

/** Segments of paths that secrets follow: addresses that work for everyone who knows them. */
const BEFORE_SECRETS = /\/(api\/integrations|feeds|invite|link|tokens)$/;

/**
 * Gives each request its id for the time in which `handler` works on it. With a log, it also gets a
 * line for each request when its answer has been sent.
 */
export function followRequests(
  handler: Handler,
  config: Pick<Config, "trustProxy">,
  log: Log | null,
): Handler {
  return (req, info) => {
    const request = { id: requestIdOf(req.headers) };
    const answer = () => handler(req, info);
    return requestInHand.run(request, log ? () => logged(answer, req, log, addressOf) : answer);

    function addressOf(): string {
      return info ? clientAddress(config, req.headers, info.remoteAddr) : "local";
    }
  };
}

async function logged(
  answer: () => Promise<Response>,
  req: Request,
  log: Log,
  addressOf: () => string,
): Promise<Response> {
  const start = performance.now();
  const response = await answer();
  const { from, ...request } = requestInHand.getStore()!;
  return counted(response, (bytes) => {
    log("info", "request", {
      method: req.method,
      path: plainPath(req.url),
      status: response.status,
      ms: Math.round(performance.now() - start),
      bytes,
      address: addressOf(),
      ...from,
      request_id: request.id,
    });
  });
}

/** Returns the path of an address without its secrets. The query has words that people type. */
export function plainPath(address: string): string {
  const segments = new URL(address).pathname.split("/").filter(Boolean).map(decoded);
  const path = segments.reduce(
    (before, segment) => `${before}/${BEFORE_SECRETS.test(before) ? "***" : segment}`,
    "",
  );
  return path.slice(0, PATH_LENGTH_MAX) || "/";
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns an equal response, and calls `end` with the size of its body when it has been read. */
function counted(response: Response, end: (bytes: number) => void): Response {
  const length = response.headers.get("Content-Length");
  if (response.body === null || length !== null) {
    end(response.body === null ? 0 : Number(length));
    return response;
  }
  const reader = response.body.getReader();
  let bytes = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) {
          bytes += value.byteLength;
          return controller.enqueue(value);
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end(bytes);
    },
    async cancel(reason) {
      end(bytes);
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(body, response);
}
