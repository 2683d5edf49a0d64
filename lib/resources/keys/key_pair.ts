import { Buffer } from "node:buffer";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { wireReader } from "../../execution/ssh/wire.ts";

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
  try {
    const openssh = OPENSSH.exec(privateKey);
    const blob = openssh ? blobInside(Buffer.from(openssh[1], "base64")) : blobOf(privateKey);
    if (!blob || blob.length > BLOB_BYTES_MAX) return null;
    const type = wireReader(blob).text();
    if (!/^[\w@.-]{1,64}$/.test(type)) return null;
    return `${type} ${Buffer.from(blob).toString("base64")}`;
  } catch {
    return null; // ssh may still read it. A task shows whether it does.
  }
}

/** Reads the public key of an `openssh-key-v1` file, after the names of cipher and derivation. */
function blobInside(file: Uint8Array): Uint8Array | null {
  if (OPENSSH_MAGIC.some((byte, n) => file[n] !== byte)) return null;
  const reader = wireReader(file, OPENSSH_MAGIC.length);
  for (let skipped = 0; skipped < 3; skipped++) reader.string();
  return reader.number() === 1 ? reader.string() : null;
}

/** Converts the public key of an unencrypted PEM file to SSH's format (RFC 4253, 5656, 8709). */
function blobOf(pem: string): Uint8Array | null {
  if (/ENCRYPTED/.test(pem)) return null;
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
}

const TYPE = "ssh-ed25519";
/** Unencrypted files are padded to a multiple of this. */
const BLOCK_BYTES = 8;

/**
 * Creates a private ed25519 key in OpenSSH's format. It is not encrypted, because it is sealed as a
 * whole. It is created in memory, so it is never on a disk or in an argument.
 */
export function newPrivateKey(comment: string): string {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, point] = [d, x].map((part) => Buffer.from(part, "base64url"));
  const publicKey = joined(sshString(TYPE), sshString(point));
  const check = crypto.getRandomValues(new Uint8Array(4));
  const secrets = joined(
    check,
    check,
    sshString(TYPE),
    sshString(point),
    sshString(joined(seed, point)),
    sshString(comment),
  );
  const padding = Array.from({ length: -secrets.length & (BLOCK_BYTES - 1) }, (_, n) => n + 1);
  const file = joined(
    OPENSSH_MAGIC,
    sshString("none"),
    sshString("none"),
    sshString(""),
    sshNumber(1),
    sshString(publicKey),
    sshString(joined(secrets, Uint8Array.from(padding))),
  );
  const lines = Buffer.from(file).toString("base64").match(/.{1,70}/g)!;
  const label = "OPENSSH PRIVATE KEY";
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** Bytes with their length in front, SSH's format of texts and numbers (RFC 4251, section 5). */
function sshString(value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return joined(sshNumber(bytes.length), bytes);
}

/** A positive number of any size from its bytes, most significant first. */
function sshInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? new Uint8Array() : bytes.subarray(first);
  // The highest bit would make it negative.
  return sshString(digits[0] >= 0x80 ? joined(new Uint8Array(1), digits) : digits);
}

function sshNumber(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
