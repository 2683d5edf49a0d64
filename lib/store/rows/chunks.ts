import type { Atomic, Store } from "../store.ts";

/** KV stores up to 64 KiB per value, part of which its own framing needs. */
export const CHUNK_BYTES = 60 * 1024;

/** Returns the key of chunk row `n` of a value that is too long for one row. */
type ChunkKey = (n: number) => Deno.KvKey;

/** Returns the number of rows for this many bytes. */
export const chunkCount = (bytes: number): number => Math.ceil(bytes / CHUNK_BYTES);

/** Adds rows that hold `bytes` to `op`, which expire after some milliseconds or never. */
export function setChunks(
  op: Atomic,
  keyOf: ChunkKey,
  bytes: Uint8Array,
  expireIn?: number,
): void {
  for (let n = 0; n < chunkCount(bytes.length); n++) {
    op.set(keyOf(n), bytes.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES), { expireIn });
  }
}

/** Reads the first `count` rows, at most 10. Missing rows are left out. */
export async function readChunks(
  kv: Store,
  keyOf: ChunkKey,
  count: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const rows = await kv.getMany<Uint8Array[]>(Array.from({ length: count }, (_, n) => keyOf(n)));
  return joinChunks(rows.flatMap(({ value }) => value ?? []));
}

/** Adds the deletion of the first `count` rows to `op`. */
export function deleteChunks(op: Atomic, keyOf: ChunkKey, count: number): void {
  for (let n = 0; n < count; n++) op.delete(keyOf(n));
}

/** Joins the contents of rows. */
export function joinChunks(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
