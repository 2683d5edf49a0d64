import { merge } from "../base/merge.ts";

const encoder = new TextEncoder();

/**
 * Returns a stream of texts as UTF-8. When its reader disconnects, the signal passed to `begin` is
 * aborted, so that waiting generators end. The signal of a request is not sufficient: it is not
 * aborted when the reader disconnects in the middle of a text.
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

/** Proxies close responses without data after a minute, or after half of one. */
const IDLE_MS = 20_000;

/**
 * Yields `texts`, and `filler` whenever nothing came for a while, so that no proxy closes the
 * stream.
 */
export const keepAlive = (
  texts: AsyncGenerator<string>,
  filler: string,
  idleMs = IDLE_MS,
): AsyncGenerator<string> => merge([texts], { idle: { value: filler, afterMs: idleMs } });
