import { createHash, timingSafeEqual } from "node:crypto";

type Secret = string | Uint8Array;

/**
 * Whether two secrets are equal. Their hashes are compared in constant time, so that the time
 * reveals neither their common part nor their lengths.
 */
export const isSameSecret = (a: Secret, b: Secret): boolean =>
  timingSafeEqual(hashOf(a), hashOf(b));

const hashOf = (secret: Secret) => createHash("sha256").update(secret).digest();
