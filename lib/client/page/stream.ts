import { linkedAbort } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { createEventReader, EVENT_STREAM, type ReadEvent } from "../../http/server_event.ts";

/** Delay before a stream is requested again. It doubles up to the limit. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 4_000;
/** Delay before a stream that the server has rejected is requested again. */
const REJECTED_MS = 5_000;

/** A server that sends nothing for so long is lost. It sends something every 1.5 seconds. */
export const SILENT_MS = 3_500;

interface StreamListener {
  /** Receives each event in order. */
  take(event: ReadEvent): void;
  /** Called whenever the server sends something. It is lost if nothing follows for `limitMs`. */
  heard?(limitMs: number): void;
  /** Called when a connection has ended, failed, or was rejected. It is opened again. */
  lost?(how: "ended" | "rejected"): void;
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
  const onEvent = (event: ReadEvent) => {
    if (event.id) headers.set("Last-Event-ID", event.id);
    if (!signal.aborted) take(event);
  };
  let retryMs = RETRY_MS;
  const noteHeard = (limitMs: number) => {
    retryMs = RETRY_MS;
    heard(limitMs);
  };
  while (!signal.aborted) {
    const end = await readTexts(url(), headers, noteHeard, createEventReader(onEvent), signal)
      .catch(() => "ended" as const);
    if (signal.aborted) return;
    lost(end === "rejected" ? end : "ended");
    if (end === "signed_out") return signedOut();
    await new Promise<void>((go) => after(end === "rejected" ? REJECTED_MS : spread(retryMs), go));
    retryMs = Math.min(2 * retryMs, RETRY_MAX_MS);
  }
}

/** Returns a shorter delay by chance, so that open pages do not all call a new server together. */
const spread = (delayMs: number): number => delayMs * (1 - Math.random() / 4);

/** Reads one connection to its end, or until nothing came for `SILENT_MS`. Returns why it ended. */
async function readTexts(
  url: string,
  headers: Headers,
  heard: (limitMs: number) => void,
  take: (text: string) => void,
  signal: AbortSignal,
): Promise<"ended" | "rejected" | "signed_out"> {
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
    if (response.type === "opaqueredirect" || response.status === 401) return "signed_out";
    // A proxy answers in the place of a server that has ended.
    if (response.status >= 500) return "ended";
    if (!response.headers.get("Content-Type")?.startsWith(EVENT_STREAM)) {
      heard(REJECTED_MS + SILENT_MS);
      return "rejected";
    }
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "ended";
      note();
      take(value);
    }
  } finally {
    cancel();
    connection.abort();
    connection.release();
  }
}
