import { createHash } from "node:crypto";
import type { Row } from "./bands.ts";
import { packed } from "./packing.ts";

/** KV takes 64 KiB a value. A row is smaller than that even if it cannot be compressed. */
const ROW_BYTES = 56 * 1024;
/**
 * Maximum bytes of the texts of one execution before compression, if a kind has no limit of its
 * own.
 */
const BYTES_MAX = 16 * 1024 * 1024;
/** Maximum number of text hashes that are remembered for deduplication. */
const KNOWN_MAX = 20_000;

const encoder = new TextEncoder();

/**
 * Collects JSON values in chunks, numbered from 1. Repeated values are stored once. A chunk's key
 * is the number of its first value.
 */
export function texts<T>(kind: string, bytesMax = BYTES_MAX) {
  const known = new Map<string, number>();
  let [first, count, bytes, total, changed] = [1, 0, 0, 0, false];
  let chunk: T[] = [];
  const full: Row[] = [];
  const rowOf = (): Row => {
    const value = packed(chunk);
    return { at: [kind, first], value, bytes: value.length };
  };

  return {
    /** Adds a value. Returns its number; 0 if there is no room for it in `share` of the limit. */
    add(value: T, share = 1): number {
      const json = JSON.stringify(value);
      const hash = createHash("sha256").update(json).digest("base64");
      const there = known.get(hash);
      if (there !== undefined) return there;
      const size = encoder.encode(json).length + 1;
      if (size > ROW_BYTES || total + size > bytesMax * share) return 0;
      if (bytes + size > ROW_BYTES) {
        full.push(rowOf());
        [first, chunk, bytes] = [count + 1, [], 0];
      }
      chunk.push(value);
      [count, bytes, total, changed] = [count + 1, bytes + size, total + size, true];
      if (known.size < KNOWN_MAX) known.set(hash, count);
      return count;
    },
    take(): Row[] {
      const rows = full.splice(0);
      if (changed) rows.push(rowOf());
      changed = false;
      return rows;
    },
  };
}
