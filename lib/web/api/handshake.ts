import { AppError } from "../../base/errors.ts";

/** The only supported version of the protocol (RFC 6455). */
const VERSION = "13";
/** 16 bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/** Throws 400 for a request that is not a web socket handshake, and 426 for another version. */
export function requireHandshake(headers: Headers): void {
  const asks = (name: string, word: string) =>
    (headers.get(name) ?? "").toLowerCase().split(",").some((one) => one.trim() === word);
  if (!asks("upgrade", "websocket") || !asks("connection", "upgrade")) throw refused("Upgrade");
  if (headers.get("sec-websocket-version") !== VERSION) {
    throw new AppError(426, "errors.web_socket", { header: "Sec-WebSocket-Version" }, {
      headers: { Upgrade: "websocket", "Sec-WebSocket-Version": VERSION },
    });
  }
  if (!KEY.test(headers.get("sec-websocket-key") ?? "")) throw refused("Sec-WebSocket-Key");
}

const refused = (header: string) => new AppError(400, "errors.web_socket", { header });
