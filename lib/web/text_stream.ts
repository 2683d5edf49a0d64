import { merge } from "../base/merge.ts";

const encoder = new TextEncoder();

/**
 * A stream of texts as UTF-8. When its reader goes away, the signal that `begin` gets is aborted,
 * so that texts end that wait for something. A request's own signal is not enough: it stays silent
 * when the reader goes in the middle of a text.
 */
export function textStream(
  begin: (gone: AbortSignal) => AsyncGenerator<string>,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const texts = begin(gone.signal);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      gone.abort();
      await texts.return(undefined);
    },
  });
}

/** Proxies end answers in which nothing came for a minute, or half of one. */
const IDLE_MS = 20_000;

/** `texts`, and `filler` whenever nothing came for a while, so that no proxy ends a quiet stream. */
export const keepAlive = (
  texts: AsyncGenerator<string>,
  filler: string,
  idleMs = IDLE_MS,
): AsyncGenerator<string> => merge([texts], { idle: { value: filler, afterMs: idleMs } });
