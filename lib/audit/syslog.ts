import { connect, type TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";
import { inLimit, unlessAborted } from "../base/time/abort.ts";
import type { AuditRecord } from "./record.ts";
import type { AuditSettings } from "./settings.ts";
import type { Receiver } from "./sink.ts";

/** Facility 13 (log audit) and severity 5 (notice) of RFC 5424. */
const PRIORITY = 13 * 8 + 5;
const CONNECT_MS_MAX = 10_000;

/**
 * Returns a record as a message of RFC 5424 with the JSON of the record, preceded by the number of
 * its bytes (RFC 5425). Letters beyond ASCII are escaped, so the message needs no byte order mark.
 */
function syslogFrame(record: AuditRecord, host: string): string {
  const { time, object_type, action } = record;
  const kind = `${object_type}.${action}`.slice(0, 32);
  const json = JSON.stringify(record)
    .replace(/[\u007f-\uffff]/g, (letter) => "\\u" + hex(letter.charCodeAt(0)));
  const message = `<${PRIORITY}>1 ${time} ${host} callboard - ${kind} - ${json}`;
  return `${message.length} ${message}`;
}

const hex = (code: number): string => code.toString(16).padStart(4, "0");

/** Returns a receiver that speaks syslog over TLS. `host` is the name of this server. */
export function syslogReceiver(
  { host: hostname, port, ca }: NonNullable<AuditSettings["syslog"]>,
  host: string,
): Receiver {
  return {
    name: "syslog",
    async send(records, signal) {
      // Deno's own connection cannot be closed while its TLS has not begun.
      const socket = connect({
        host: hostname,
        port,
        servername: ipaddr.isValid(hostname) ? undefined : hostname,
        ...ca && { ca: [ca] },
      });
      try {
        const opened = Promise.withResolvers<void>();
        socket.once("error", opened.reject);
        socket.once("secureConnect", opened.resolve);
        const late = () => new Error(`${hostname}:${port} does not answer`);
        await unlessAborted(inLimit(opened.promise, CONNECT_MS_MAX, late), signal);
        const text = records.map((record) => syslogFrame(record, host)).join("");
        await unlessAborted(sendAll(socket, text), signal);
      } finally {
        socket.destroy();
      }
    },
  };
}

/**
 * Sends a text and ends the connection. Syslog has no answers. A receiver that ends the connection
 * in turn has read everything before. One that has left data unread resets it, which is an error.
 */
async function sendAll(socket: TLSSocket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sent = false;
  socket.once("error", reject);
  socket.once(
    "close",
    () => sent ? resolve() : reject(new Error("the connection was closed too early")),
  );
  socket.resume();
  socket.end(text, () => sent = true);
  await promise;
}
