import { Buffer } from "node:buffer";
import { createPublicKey } from "node:crypto";
import { joined, sshInteger, sshReader, sshString } from "./ssh_wire.ts";

const OPENSSH = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END/;
const OPENSSH_MAGIC = new TextEncoder().encode("openssh-key-v1\0");
/** Larger than any key in use. The row must hold it together with the private half. */
const BLOB_BYTES_MAX = 4096;
const CURVES: Record<string, string> = {
  "P-256": "nistp256",
  "P-384": "nistp384",
  "P-521": "nistp521",
};

/**
 * Returns the public half of a private key as "type base64", or null if it is unknown. Files in
 * OpenSSH's own format contain it in clear, even with a passphrase. Other encrypted files are not
 * read, because their author determines how long decrypting takes.
 */
export function publicKeyOf(privateKey: string): string | null {
  const openssh = OPENSSH.exec(privateKey);
  const blob = openssh ? blobInside(Buffer.from(openssh[1], "base64")) : blobOf(privateKey);
  if (!blob || blob.length > BLOB_BYTES_MAX) return null;
  const type = sshReader(blob).string();
  if (!type || !/^[\w@.-]{1,64}$/.test(text(type))) return null;
  return `${text(type)} ${Buffer.from(blob).toString("base64")}`;
}

/** Reads the public key of an `openssh-key-v1` file, after the names of cipher and derivation. */
function blobInside(file: Uint8Array): Uint8Array | null {
  if (OPENSSH_MAGIC.some((byte, n) => file[n] !== byte)) return null;
  const reader = sshReader(file, OPENSSH_MAGIC.length);
  for (let skipped = 0; skipped < 3; skipped++) if (!reader.string()) return null;
  return reader.number() === 1 ? reader.string() : null;
}

/** Converts the public key of an unencrypted PEM file to SSH's format (RFC 4253, 5656, 8709). */
function blobOf(pem: string): Uint8Array | null {
  if (/ENCRYPTED/.test(pem)) return null;
  try {
    const { kty, crv = "", n, e, x, y } = createPublicKey(pem).export({ format: "jwk" });
    const bytes = (part?: string) => Buffer.from(part ?? "", "base64url");
    if (kty === "RSA") {
      return joined(sshString("ssh-rsa"), sshInteger(bytes(e)), sshInteger(bytes(n)));
    }
    if (crv === "Ed25519") return joined(sshString("ssh-ed25519"), sshString(bytes(x)));
    const curve = CURVES[crv];
    if (!curve) return null;
    const point = joined(Uint8Array.of(4), bytes(x), bytes(y));
    return joined(sshString(`ecdsa-sha2-${curve}`), sshString(curve), sshString(point));
  } catch {
    return null; // ssh may still read it. A task shows whether it does.
  }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
