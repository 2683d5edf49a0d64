import { deflateRawSync, inflateRawSync } from "node:zlib";
import { parseExact } from "../../base/text/exact_json.ts";

/** Maximum bytes of a decompressed row, more than any row has. */
const LIST_MAX = 4 * 1024 * 1024;

/** Returns a JSON value as compressed bytes. */
export const packed = (value: unknown): Uint8Array =>
  deflateRawSync(encoder.encode(JSON.stringify(value)));

/**
 * Returns the list that was packed; empty if the bytes do not hold one. Some rows of earlier
 * versions are lists that were not packed.
 */
export function unpackedList<T>(
  bytes: Uint8Array | T[],
  parse: (text: string) => unknown = JSON.parse,
): T[] {
  if (Array.isArray(bytes)) return bytes;
  try {
    const value = parse(decoder.decode(inflateRawSync(bytes, { maxOutputLength: LIST_MAX })));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Same as `unpackedList`, for a list with values of other programs, whose numbers stay exact. */
export const unpackedValues = <T>(bytes: Uint8Array | T[]): T[] =>
  unpackedList<T>(bytes, parseExact);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
