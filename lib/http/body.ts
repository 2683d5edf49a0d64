import { inLimit } from "../base/time/abort.ts";
import { AppError } from "../base/errors.ts";

/** Time limit for any body. A long body may take longer, at the speed of a very slow line. */
const PATIENCE_MS = 30_000;
const BYTES_PER_SECOND_MIN = 8 * 1024;

/** A request, or the response of another server. */
type Sent = Pick<Request, "headers" | "body">;

/**
 * Yields the body of a request in chunks. Throws 413 past `bytesMax` without reading on, and 408
 * when the body does not arrive in time, so that no work waits forever for a client that never
 * finishes. (Deno leaves the connection open, even after "Connection: close".)
 */
export async function* bodyChunks(
  { headers, body }: Sent,
  bytesMax: number,
  patienceMs = PATIENCE_MS,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError(413, "errors.body_too_large", { bytes: bytesMax });
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  if (!body) return;
  const reader = body.getReader();
  const startedAt = performance.now();
  let bytes = 0;
  try {
    while (true) {
      const dueAt = startedAt + patienceMs + bytes / BYTES_PER_SECOND_MIN * 1000;
      const { done, value } = await inLimit(
        reader.read().catch(broken),
        Math.max(0, dueAt - performance.now()),
        tooSlow,
      );
      if (done) return;
      bytes += value.length;
      if (bytes > bytesMax) throw tooLarge();
      yield value;
    }
  } finally {
    // Has no effect on a body that was read to its end.
    reader.cancel().catch(() => {});
  }
}

function broken(): never {
  throw new AppError(400, "errors.body_broken");
}

const tooSlow = () =>
  new AppError(408, "errors.body_too_slow", {}, { headers: { Connection: "close" } });

/** A body that is known to be shorter is read as a whole. */
const SHORT_BYTES_MAX = 16 * 1024;

/** Maximum size of a request's body in bytes; a larger one is refused. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Reads the body as text. Throws as `bodyChunks` does. */
export async function readText(sent: Sent, bytesMax: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(sent, bytesMax));
}

/** Reads the body as text that is kept as it is. Throws 400 as well, if it is not UTF-8. */
export async function readExactText(sent: Sent, bytesMax: number): Promise<string> {
  const bytes = await readBytes(sent, bytesMax);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError(400, "errors.invalid_json");
  }
}

/** Reads the raw body. Throws as `bodyChunks` does. */
export async function readBytes(sent: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { headers } = sent;
  // The transfer encoding counts if a client sends both.
  const isKnown = headers.has("content-length") && !headers.has("transfer-encoding");
  const length = isKnown ? Number(headers.get("content-length")) : Infinity;
  // A stream takes 64 KiB of memory for each chunk, however short, until it is collected.
  if (length <= SHORT_BYTES_MAX && length <= bytesMax && sent instanceof Request && sent.body) {
    return await inLimit(sent.bytes().catch(broken), PATIENCE_MS, tooSlow);
  }
  return await new Blob(await Array.fromAsync(bodyChunks(sent, bytesMax))).bytes();
}
