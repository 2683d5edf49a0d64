import { after } from "../../base/time/after.ts";

export type Connection = "open" | "stopping" | "lost" | "signed_out";

/** Takes the news of one event stream. */
export interface ServerListener {
  heard(limitMs: number): void;
  stopping(): void;
  lost(how: "ended" | "rejected"): void;
}

/** Time in which a server answers that is there. */
const ANSWER_MS = 3_000;

/** Address that any server answers immediately. */
let ping = "";
let isDoubtful = false;

/** Whether leaving this page could end in the browser's error page, with all input lost. */
export const isServerDoubtful = (): boolean => isDoubtful;

/** Whether a proxy answers in the place of a server that is away. */
export const isOfProxy = (status: number): boolean => status >= 502 && status <= 504;

/** Resolves if the server answers, and throws otherwise. */
export async function assertServerAnswers(): Promise<void> {
  const { status } = await fetch(ping, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (isOfProxy(status)) throw new Error(`${status}`);
}

/**
 * Follows what the streams of a page say about their server. `events` is the address of one of the
 * server's streams.
 */
export function watchServer(events: string, setConnection: (connection: Connection) => void) {
  ping = new URL("api/ping", new URL(events, location.href)).href;
  /** Streams of a server that stops, and those without a connection. */
  const stopping = new Set<string>();
  const broken = new Set<string>();
  let forget = () => {};
  const note = () => isDoubtful = stopping.size + broken.size > 0;

  /** Takes the server for lost if nothing is heard for `limitMs`. */
  function expect(limitMs: number): void {
    forget();
    forget = after(limitMs, () => setConnection("lost"));
  }

  const listenerOf = (address: string): ServerListener => ({
    heard(limitMs) {
      broken.delete(address);
      note();
      setConnection(stopping.size > 0 ? "stopping" : "open");
      expect(limitMs);
    },
    stopping() {
      stopping.add(address);
      note();
      setConnection("stopping");
    },
    lost(how) {
      stopping.delete(address);
      if (how === "ended") broken.add(address);
      note();
    },
  });

  function leave(address: string): void {
    stopping.delete(address);
    broken.delete(address);
    note();
  }

  return { expect, listenerOf, leave };
}
