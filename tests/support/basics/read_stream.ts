import { inLimit } from "@/lib/base/time/abort.ts";

/** Longest wait for a text. Only failures ever reach it, however busy the machine is. */
const LIMIT_MS = 120_000;

/**
 * Reads a streamed response. `until` returns the text since the last call, once it contains
 * `wanted`, and throws with the text so far if the stream ends first or nothing more arrives.
 */
export function readStream(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  return {
    async until(wanted: RegExp): Promise<string> {
      let text = "";
      while (!wanted.test(text)) {
        const late = () => new Error(`No ${wanted} in ${LIMIT_MS} ms: ${text}`);
        const { done, value } = await inLimit(reader.read(), LIMIT_MS, late);
        if (done) throw new Error(`The stream ended without ${wanted}: ${text}`);
        text += value;
      }
      return text;
    },
    /** Resolves when the stream has ended. */
    async end(): Promise<void> {
      const late = () => new Error(`The stream did not end in ${LIMIT_MS} ms`);
      while (!(await inLimit(reader.read(), LIMIT_MS, late)).done);
    },
    cancel: () => reader.cancel(),
  };
}
