import { createHash, timingSafeEqual } from "node:crypto";

type Secret = string | Uint8Array;

/**
 * Whether two secrets are the same. Their hashes are compared, in constant time, so that neither
 * what is the same in both nor their lengths show in the time it takes.
 */
export const isSameSecret = (a: Secret, b: Secret): boolean =>
  timingSafeEqual(hashOf(a), hashOf(b));

const hashOf = (secret: Secret) => createHash("sha256").update(secret).digest();
