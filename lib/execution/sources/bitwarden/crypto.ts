import { Buffer } from "node:buffer";
import { createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";

/** A key of Bitwarden: one half decrypts, and the other one authenticates. */
export interface BitwardenKey {
  encryption: Uint8Array;
  authentication: Uint8Array;
}

const KEY_BYTES = 64;
const EXPAND_BYTES = 32;

/** Returns a key of its 64 bytes. */
export function bitwardenKey(bytes: Uint8Array): BitwardenKey {
  if (bytes.length !== KEY_BYTES) throw new RangeError("A key has 64 bytes.");
  return { encryption: bytes.slice(0, 32), authentication: bytes.slice(32) };
}

/**
 * Returns the key that Bitwarden derives from the 16 bytes of an access token: HKDF-SHA256 (RFC
 * 5869) with a salt of its own, as in https://bitwarden.com/help/bitwarden-security-white-paper/.
 */
export function derivedKey(secret: Uint8Array, name: string, info: string): Uint8Array {
  const prk = hmac(new TextEncoder().encode(`bitwarden-${name}`), secret);
  const bytes = new Uint8Array(KEY_BYTES);
  let block = new Uint8Array();
  for (let n = 0; n < KEY_BYTES / EXPAND_BYTES; n++) {
    block = hmac(prk, Buffer.concat([block, new TextEncoder().encode(info), Uint8Array.of(n + 1)]));
    bytes.set(block, n * EXPAND_BYTES);
  }
  return bytes;
}

const hmac = (key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac("sha256", key).update(data).digest());

/**
 * Returns an encrypted text of Bitwarden: `2.iv|data|mac`, with AES-256-CBC and HMAC-SHA256. Throws
 * if it is of another type, or was changed.
 */
export function decrypted(text: string, { encryption, authentication }: BitwardenKey): string {
  const [type, rest = ""] = text.split(".");
  const [iv, data, mac] = rest.split("|").map((part) => Buffer.from(part, "base64"));
  if (type !== "2" || !mac) throw new TypeError("unknown type of encryption");
  const expected = hmac(authentication, Buffer.concat([iv, data]));
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) {
    throw new TypeError("wrong key, or changed");
  }
  const cipher = createDecipheriv("aes-256-cbc", encryption, iv);
  return Buffer.concat([cipher.update(data), cipher.final()]).toString();
}
