import type { Lab } from "./lab.ts";

interface Message {
  type: "update" | "log";
  task_id: number;
  status?: string;
  output?: string;
  /** Time of arrival, in milliseconds since 1970 with a fraction. */
  at: number;
}

/** Messages of the server's socket while it is open. */
interface Messages {
  all: Message[];
  /** Returns the first message that matches, even if it has arrived before. */
  wait(fits: (message: Message) => boolean): Promise<Message>;
  close(): void;
}

const LIMIT_MS = 120_000;

export async function openMessages({ server }: Lab): Promise<Messages> {
  const url = new URL("/api/ws", server.url.replace(/^http/, "ws"));
  // Deno's constructor takes headers, but the type is that of browsers.
  const options = { headers: { Cookie: server.cookie } } as unknown as string[];
  const socket = new WebSocket(url, options);
  const all: Message[] = [];
  const waiting = new Set<() => void>();
  socket.onmessage = ({ data }) => {
    const at = performance.timeOrigin + performance.now();
    all.push({ ...JSON.parse(data), at });
    for (const look of waiting) look();
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return {
    all,
    wait: (fits) => {
      const { promise, resolve, reject } = Promise.withResolvers<Message>();
      let seen = 0;
      const look = () => {
        while (seen < all.length) {
          const message = all[seen++];
          if (fits(message)) return resolve(message);
        }
      };
      const timer = setTimeout(() => reject(new Error("Waited too long for a message")), LIMIT_MS);
      waiting.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(look);
      });
    },
    close: () => socket.close(),
  };
}

export const hasEnded = ({ status }: Message): boolean =>
  ["success", "error", "stopped"].includes(status ?? "");
