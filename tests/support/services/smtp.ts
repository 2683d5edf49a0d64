import { SMTPServer, type SMTPServerOptions } from "@/tests/packages/smtp_server.ts";

interface SentMail {
  from: string;
  to: string[];
  /** Login of the sender, or null. */
  user: string | null;
  secure: boolean;
  /** The whole mail, including its headers. */
  raw: string;
}

/** Starts a real SMTP server on loopback that stores the mails it receives. */
export async function startSmtpServer(options: SMTPServerOptions = {}) {
  const mails: SentMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      if (password !== "mail-password") return callback(new Error("wrong password"));
      callback(null, { user: username });
    },
    onData(stream, session, callback) {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", async () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === "string" ? session.user : null,
          secure: session.secure,
          raw: await new Blob(chunks as BlobPart[]).text(),
        });
        callback();
      });
    },
    ...options,
  });
  // A client that does not trust the certificate disconnects. That is not a failure of this server.
  server.on("error", () => {});
  const { port } = await new Promise<{ port: number }>((resolve) => {
    const listener = server.listen(
      0,
      "127.0.0.1",
      () => resolve(listener.address() as { port: number }),
    );
  });
  return {
    mails,
    port,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Decodes a mail's text. */
export const decodeMail = (raw: string): string =>
  new TextDecoder().decode(
    Uint8Array.from(
      raw.replaceAll("=\r\n", "").replaceAll(
        /=([0-9A-F]{2})/g,
        (_, hex) => String.fromCharCode(parseInt(hex, 16)),
      ),
      (letter) => letter.charCodeAt(0),
    ),
  );
