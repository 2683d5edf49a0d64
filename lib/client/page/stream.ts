import { createParser, type EventSourceMessage } from "eventsource-parser";
import { linkedAbort } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { EVENT_STREAM } from "../../http/server_event.ts";

/** Delay before a stream is requested again, and before one that the server has rejected. */
const RETRY_MS = 1_000;
const REJECTED_MS = 5_000;

/** A server that sends nothing for so long is lost. It sends something every 1.5 seconds. */
export const SILENT_MS = 3_500;

interface StreamListener {
  /** Receives each event in order. */
  take(event: EventSourceMessage): void;
  /** Called whenever the server sends something. It is lost if nothing follows for `limitMs`. */
  heard?(limitMs: number): void;
  /** Called when a connection has ended or failed. It is opened again. */
  lost?(): void;
  /** Called when the server knows the user no more. Then the stream is not opened again. */
  signedOut?(): void;
}

/**
 * Follows an event stream over any number of connections until `signal` aborts, or until the user
 * has been signed out. Each connection
 * requests the current result of `url`. `EventSource` is not used, because it does not notice a
 * connection that stays open without a server, such as that to a proxy.
 */
export async function followStream(
  url: () => string,
  { take, heard = () => {}, lost = () => {}, signedOut = () => {} }: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const headers = new Headers({ Accept: EVENT_STREAM });
  const onEvent = (event: EventSourceMessage) => {
    if (event.id) headers.set("Last-Event-ID", event.id);
    if (!signal.aborted) take(event);
  };
  while (!signal.aborted) {
    const parser = createParser({ onEvent });
    const delayMs = await readTexts(url(), headers, heard, parser.feed, signal)
      .catch(() => RETRY_MS);
    if (signal.aborted) return;
    lost();
    if (delayMs === Infinity) return signedOut();
    await new Promise<void>((go) => after(delayMs, go));
  }
}

/**
 * Reads one connection to its end, or until nothing came for `SILENT_MS`. Returns the delay before
 * the next one, which is infinite after the user has been signed out.
 */
async function readTexts(
  url: string,
  headers: Headers,
  heard: (limitMs: number) => void,
  take: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const connection = linkedAbort(signal);
  let cancel = after(SILENT_MS, connection.abort);
  const note = () => {
    cancel();
    cancel = after(SILENT_MS, connection.abort);
    heard(SILENT_MS);
  };
  try {
    const init: RequestInit = { headers, signal: connection.signal, redirect: "manual" };
    const response = await fetch(url, init);
    // A page is redirected to the sign-in page, and the API answers 401.
    if (response.type === "opaqueredirect" || response.status === 401) return Infinity;
    // A proxy answers in the place of a server that has ended.
    if (response.status >= 500) return RETRY_MS;
    if (!response.headers.get("Content-Type")?.startsWith(EVENT_STREAM)) {
      heard(REJECTED_MS + SILENT_MS);
      return REJECTED_MS;
    }
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return RETRY_MS;
      note();
      take(value);
    }
  } finally {
    cancel();
    connection.abort();
    connection.release();
  }
}
