import { inLimit, whenAborted } from "../base/abort.ts";
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
      const connecting = Deno.connectTls({ hostname, port, ...ca && { caCerts: [ca] } });
      const late = () => new Error(`${hostname}:${port} does not answer`);
      const connection = await inLimit(connecting, CONNECT_MS_MAX, late).catch((error) => {
        connecting.then((opened) => opened.close(), () => {});
        throw error;
      });
      const release = whenAborted(signal, () => connection.close());
      try {
        await sendAll(connection, records.map((record) => syslogFrame(record, host)).join(""));
      } finally {
        release();
        if (!signal.aborted) connection.close();
      }
    },
  };
}

/**
 * Sends a text and ends the connection. Syslog has no answers. A receiver that ends the connection
 * in turn has read everything before.
 */
async function sendAll(connection: Deno.TlsConn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  await connection.closeWrite();
  const ignored = new Uint8Array(1024);
  try {
    while (await connection.read(ignored) !== null);
  } catch (error) {
    // Some, such as rsyslog, end it without saying so in TLS. One that has left data unread resets
    // the connection, which is another error.
    if (!(error instanceof Deno.errors.UnexpectedEof)) throw error;
  }
}
