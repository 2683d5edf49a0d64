import { HttpError } from "./error.ts";

export interface WebSocketHandlers {
  open?(socket: WebSocket): void;
  message?(socket: WebSocket, event: MessageEvent): void;
  close?(socket: WebSocket, code: number, reason: string): void;
  error?(socket: WebSocket, event: Event | ErrorEvent): void;
}

export interface WebSocketUpgradeOptions {
  /** Seconds without an answer to a ping after which the socket is closed. */
  idleTimeout?: number;
  protocol?: string;
}

/** Makes a web socket of a request, and wires the handlers when there are any. */
export function upgrade(
  req: Request,
  first?: WebSocketHandlers | WebSocketUpgradeOptions,
  second?: WebSocketUpgradeOptions,
): { socket: WebSocket; response: Response } | Response {
  if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(400, "Expected a WebSocket upgrade request");
  }
  const handlers = isHandlers(first) ? first : null;
  const { socket, response } = Deno.upgradeWebSocket(req, isHandlers(first) ? second : first);
  if (!handlers) return { socket, response };

  socket.addEventListener("open", () => handlers.open?.(socket));
  socket.addEventListener("message", (event) => handlers.message?.(socket, event));
  socket.addEventListener("close", ({ code, reason }) => handlers.close?.(socket, code, reason));
  socket.addEventListener("error", (event) => handlers.error?.(socket, event));
  return response;
}

/** Options hold no functions, handlers hold nothing else. */
function isHandlers(
  value: WebSocketHandlers | WebSocketUpgradeOptions | undefined,
): value is WebSocketHandlers {
  return Object.values(value ?? {}).some((one) => typeof one === "function");
}
