import { serialize } from "node:v8";

/** Limits of the store. A file has higher ones for checks, but code must work on both kinds. */
export const LIMITS = {
  /** Bytes of one encoded key. */
  keyBytes: 2048,
  /** Bytes of one serialized value. */
  valueBytes: 64 * 1024,
  /** Checks of a commit, over KV Connect. */
  checks: 10,
  /** Rows that a commit writes or deletes. */
  mutations: 1000,
  /** Bytes of all keys and values of a commit. */
  commitBytes: 800 * 1024,
  /** Bytes of all keys of a commit, those of checks included. */
  commitKeyBytes: 80 * 1024,
  /** Rows that one call reads by key. */
  keysPerRead: 10,
} as const;

export type LimitName = keyof typeof LIMITS;

/** A write that the store cannot take. Whoever makes the row must bound it. */
export class StoreLimitError extends Error {
  override name = "StoreLimitError";

  constructor(
    /** Kind of the row, which is the first part of its key. */
    readonly row: string,
    readonly limit: LimitName,
    readonly size: number,
  ) {
    super(`${row}: ${size} exceeds the limit ${limit} of ${LIMITS[limit]}`);
  }
}

/** Throws StoreLimitError if `size` exceeds the limit. */
export function requireLimit(key: Deno.KvKey, limit: LimitName, size: number): void {
  if (size > LIMITS[limit]) throw new StoreLimitError(String(key[0] ?? ""), limit, size);
}

const encoder = new TextEncoder();

/** Returns the bytes of an encoded key. A part is framed by its type and, if it has one, an end. */
export function keyBytes(key: Deno.KvKey): number {
  let bytes = 0;
  for (const part of key) bytes += partBytes(part);
  return bytes;
}

function partBytes(part: Deno.KvKeyPart): number {
  switch (typeof part) {
    case "string":
      return textBytes(part) + 2;
    case "number":
      return 9;
    case "boolean":
      return 1;
    case "bigint":
      return Math.ceil(part.toString(16).length / 2) + 3;
    case "symbol":
      return COMMIT_VERSION_BYTES;
    default:
      // A zero is escaped by one more byte.
      return part.length + 2 + part.reduce((zeros, byte) => zeros + (byte === 0 ? 1 : 0), 0);
  }
}

/** A place in which the store puts the version of the commit. */
const COMMIT_VERSION_BYTES = 22;

/** A zero in a text is escaped by one more byte. */
function textBytes(text: string): number {
  let isPlain = true;
  for (let n = 0; n < text.length && isPlain; n++) {
    const code = text.charCodeAt(n);
    isPlain = code > 0 && code < 0x80;
  }
  return isPlain ? text.length : encoder.encode(text).length + text.split("\0").length - 1;
}

/**
 * Returns the bytes of a serialized value. Small values are estimated, which is faster, and never
 * too low.
 */
export function valueBytes(value: unknown): number {
  if (value instanceof Uint8Array || value instanceof Deno.KvU64) return exactBytes(value);
  const most = estimate(value);
  return most <= ESTIMATED_MAX ? most : exactBytes(value);
}

/** Returns the bytes of a serialized value, however small. */
export function exactBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  return value instanceof Deno.KvU64 ? 8 : serialize(value).length;
}

/** Above this, values are measured exactly, so that no row is refused by an estimate. */
const ESTIMATED_MAX = 8 * 1024;

/** Header, type and length of a value. */
const FRAME = 8;

function estimate(value: unknown): number {
  switch (typeof value) {
    case "string":
      return 2 * value.length + FRAME;
    case "number":
      return 12;
    case "boolean":
    case "undefined":
      return 3;
    case "object":
      return value === null ? 3 : estimateMembers(value);
    default:
      return Infinity;
  }
}

function estimateMembers(value: object): number {
  let bytes = 2 * FRAME;
  if (Array.isArray(value)) {
    // A member of a list with holes is preceded by its number.
    for (const one of value) if ((bytes += estimate(one) + 6) > ESTIMATED_MAX) break;
    return bytes;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return Infinity;
  for (const name in value) {
    bytes += 2 * name.length + FRAME + estimate((value as Record<string, unknown>)[name]);
    if (bytes > ESTIMATED_MAX) break;
  }
  return bytes;
}
