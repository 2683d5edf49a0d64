import { wireReader } from "./wire.ts";

const TYPES =
  /^(ssh-(rsa|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-(ssh|ecdsa)-[\w-]+@openssh\.com)$/;
/** RSA with 16,384 bits has about 2,800 characters. */
const LENGTH_MAX = 4_096;

/** Reads "type base64 comment" as in `.pub` files. Returns null for anything else. */
export function parsePublicKey(line: string): { type: string; key: string } | null {
  const [type = "", key = ""] = line.trim().split(/\s+/, 2);
  if (key.length > LENGTH_MAX || !TYPES.test(type)) return null;
  try {
    return wireReader(Uint8Array.fromBase64(key)).text() === type ? { type, key } : null;
  } catch {
    return null; // It is not base64, or too short.
  }
}
