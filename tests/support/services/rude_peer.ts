/** Ways in which a server may treat its clients badly. Each is a function of one connection. */
const MANNERS = {
  /** Accepts, and never sends anything. */
  silent: ({ takeAll }) => takeAll(),
  /** Accepts, and never reads either. */
  deaf: ({ gone }) => gone,
  /** Answers with a switch of protocol, and keeps the connection. */
  switches: async ({ say, takeAll }) => {
    await say(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    );
    await takeAll();
  },
  /** The same, without the headers of a switch. */
  switchesBarely: async ({ say, takeAll }) => {
    await say("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    await takeAll();
  },
  /** Sends informational answers for ever. */
  continues: ({ forEver }) => forEver("HTTP/1.1 100 Continue\r\n\r\n"),
  processes: ({ forEver }) => forEver("HTTP/1.1 102 Processing\r\n\r\n"),
  hints: ({ forEver }) => forEver("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
  /** Sends the head of its answer letter by letter, and never ends it. */
  dripsHead: async ({ say, forEver }) => {
    await say("HTTP/1.1 200 OK\r\nX-Slow: ");
    await forEver("x");
  },
  endlessHead: async ({ say, forEver }) => {
    await say("HTTP/1.1 200 OK\r\n");
    await forEver(`X-More: ${"x".repeat(1_000)}\r\n`, 1);
  },
  dripsBody: async ({ say, forEver }) => {
    await say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    await forEver("x");
  },
  endlessBody: async ({ say, forEver }) => {
    await say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    await forEver(`8000\r\n${"x".repeat(0x8000)}\r\n`, 0);
  },
  garbage: async ({ say, takeAll }) => {
    await say("\u0001 what do you want?\r\n\r\n");
    await takeAll();
  },
  /** Greets a mail client without an end, in lines that each promise another one. */
  greets: ({ forEver }) => forEver("220-Welcome\r\n"),
  /** Sends an LDAP message that never ends, byte by byte. */
  dripsMessage: async ({ connection, forEver }) => {
    await connection.write(Uint8Array.of(0x30, 0x84, 0x00, 0x0f, 0x00, 0x00));
    await forEver("\u0002");
  },
  /** Ends its own half of the connection at once, and keeps the other one. */
  halfClosed: async ({ connection, takeAll }) => {
    await connection.closeWrite();
    await takeAll();
  },
  /** Ends in the middle of the body. */
  cut: async ({ say }) => {
    await say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
  },
  redirects: async ({ say, takeAll }) => {
    await say(
      "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    );
    await takeAll();
  },
  /** Answers well. */
  polite: async ({ say, takeAll }) => {
    await say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
    await takeAll();
  },
} satisfies Record<string, (visit: Visit) => Promise<void>>;

export type Manner = keyof typeof MANNERS;
export const RUDE = (Object.keys(MANNERS) as Manner[])
  .filter((manner) => !["polite", "redirects"].includes(manner));

interface Visit {
  connection: Deno.TcpConn | Deno.TlsConn;
  say(text: string): Promise<void>;
  /** Sends a text again and again, while the client takes it. */
  forEver(text: string, everyMs?: number): Promise<void>;
  /** Resolves when the client has closed the connection, and reads what it sends. */
  takeAll(): Promise<void>;
  /** Resolves when the peer is closed. */
  gone: Promise<void>;
}

interface PeerOptions {
  /** Certificate and key in PEM. Without them, the peer speaks no TLS. */
  tls?: { cert: string; key: string };
  /** A port that another server has had. */
  port?: number;
}

/** Starts a server that treats each client in one way. */
export function startRudePeer(manner: Manner, { tls, port: wanted = 0 }: PeerOptions = {}) {
  const address = { hostname: "127.0.0.1", port: wanted };
  const listener = tls ? Deno.listenTls({ ...address, ...tls }) : Deno.listen(address);
  const { port } = listener.addr as Deno.NetAddr;
  const open = new Set<Deno.Conn>();
  const counts = { opened: 0 };
  const closing = Promise.withResolvers<void>();
  let current: Manner = manner;

  async function receive(connection: Deno.TcpConn | Deno.TlsConn) {
    open.add(connection);
    try {
      await MANNERS[current](visit(connection));
    } catch {
      // The client has gone.
    } finally {
      open.delete(connection);
      quietly(connection);
    }
  }

  function visit(connection: Deno.TcpConn | Deno.TlsConn): Visit {
    const say = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    };
    return {
      connection,
      say,
      async forEver(text, everyMs = 20) {
        for (;;) {
          await say(text);
          await new Promise((resolve) => setTimeout(resolve, everyMs));
        }
      },
      async takeAll() {
        const bytes = new Uint8Array(4_096);
        while (await connection.read(bytes) !== null);
      },
      gone: closing.promise,
    };
  }

  async function serve() {
    try {
      for await (const connection of listener) {
        counts.opened++;
        receive(connection).catch(() => {});
      }
    } catch {
      // It is closed, or a client did not finish its TLS.
    }
  }

  const serving = serve();
  return {
    port,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}/`,
    counts,
    /** Number of connections that the client has not closed yet. */
    open: () => open.size,
    /** Treats further clients in another way. */
    become: (other: Manner) => void (current = other),
    async [Symbol.asyncDispose]() {
      listener.close();
      closing.resolve();
      for (const connection of open) quietly(connection);
      await serving;
    },
  };
}

function quietly(connection: Deno.Conn) {
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
}
