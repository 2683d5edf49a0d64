/** KV takes 64 KiB a value, of which its own framing needs some. */
const CHUNK_BYTES = 60 * 1024;

/** Where each of the rows is that hold what is too long for one value. */
type ChunkKey = (n: number) => Deno.KvKey;

/** How many rows so many bytes take. */
export const chunkCount = (bytes: number): number => Math.ceil(bytes / CHUNK_BYTES);

/** Adds rows that hold `bytes` to `op`, for so many milliseconds or for good. */
export function setChunks(
  op: Deno.AtomicOperation,
  keyOf: ChunkKey,
  bytes: Uint8Array,
  expireIn?: number,
): void {
  for (let n = 0; n < chunkCount(bytes.length); n++) {
    op.set(keyOf(n), bytes.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES), { expireIn });
  }
}

/** What the first `count` rows hold, at most 10; those that are not there hold nothing. */
export async function readChunks(
  kv: Deno.Kv,
  keyOf: ChunkKey,
  count: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const rows = await kv.getMany<Uint8Array[]>(Array.from({ length: count }, (_, n) => keyOf(n)));
  return joinChunks(rows.flatMap(({ value }) => value ?? []));
}

/** Adds to `op` that the first `count` rows go. */
export function deleteChunks(op: Deno.AtomicOperation, keyOf: ChunkKey, count: number): void {
  for (let n = 0; n < count; n++) op.delete(keyOf(n));
}

/** What rows hold together. */
export function joinChunks(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
