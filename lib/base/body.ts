import { inLimit } from "./abort.ts";
import { AppError } from "./errors.ts";

/** How long any body may take; a long one may take longer, at the speed of a very slow line. */
const PATIENCE_MS = 30_000;
const BYTES_PER_SECOND_MIN = 8 * 1024;

/** A request, or another server's answer. */
type Sent = Pick<Request, "headers" | "body">;

/**
 * The body of a request, piece by piece. Throws 413 past `bytesMax`, without reading on, and 408
 * when it does not come: no work waits for ever for a client that never ends what it sends. (Deno
 * leaves the connection open, also after "Connection: close".)
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
    // Of a body that was read to its end nothing is left to give up.
    reader.cancel().catch(() => {});
  }
}

function broken(): never {
  throw new AppError(400, "errors.body_broken");
}

const tooSlow = () =>
  new AppError(408, "errors.body_too_slow", {}, { headers: { Connection: "close" } });

/** Bytes of a request's body that are read; more is refused. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** The body as text. Throws as `bodyChunks` does. */
export async function readText(sent: Sent, bytesMax: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(sent, bytesMax));
}

/** The body as it was sent. Throws as `bodyChunks` does. */
export const readBytes = async (sent: Sent, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> =>
  await new Blob(await Array.fromAsync(bodyChunks(sent, bytesMax))).bytes();
