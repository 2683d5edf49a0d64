import { wireReader } from "./wire.ts";

/** The parts of an OpenSSH certificate that people and runs need. */
interface Certificate {
  kind: "user" | "host";
  /** The certified key as "type base64". */
  publicKey: string;
  /** Text with which the authority names the certificate in logs. */
  keyId: string;
  /** Logins that it admits as. Without any, sshd decides by its own lists. */
  principals: string[];
  /** Milliseconds since the epoch. */
  validFrom: number;
  /** Null if it never expires. */
  validUntil: number | null;
}

/** Longest text of a certificate. RSA with 100 principals has about 5,000 characters. */
export const CERTIFICATE_MAX = 16_384;
/** As in OpenSSH. */
const PRINCIPALS_MAX = 256;
/** Plain types of keys that can be certified, and how many parts their public halves have. */
const CERTIFIED: Record<string, [type: string, parts: number]> = {
  "ssh-ed25519-cert-v01@openssh.com": ["ssh-ed25519", 1],
  "ssh-rsa-cert-v01@openssh.com": ["ssh-rsa", 2],
  "ecdsa-sha2-nistp256-cert-v01@openssh.com": ["ecdsa-sha2-nistp256", 2],
  "ecdsa-sha2-nistp384-cert-v01@openssh.com": ["ecdsa-sha2-nistp384", 2],
  "ecdsa-sha2-nistp521-cert-v01@openssh.com": ["ecdsa-sha2-nistp521", 2],
};
const KINDS: Record<number, Certificate["kind"]> = { 1: "user", 2: "host" };
/** Later times, such as the largest number for "forever", are not dates. */
const SECONDS_MAX = 253_402_300_799n;

/**
 * Reads one line as `ssh-keygen -s` writes it, in the format of OpenSSH's PROTOCOL.certkeys.
 * Returns null for anything else. The signature is not checked: that is the host's part.
 */
export function parseCertificate(line: string): Certificate | null {
  const [type = "", body = ""] = line.trim().split(/\s/, 2);
  if (line.length > CERTIFICATE_MAX || !Object.hasOwn(CERTIFIED, type)) return null;
  try {
    return readBody(Uint8Array.fromBase64(body), type);
  } catch {
    return null; // It is not base64, or it ends too early.
  }
}

function readBody(bytes: Uint8Array, type: string): Certificate | null {
  const [plainType, parts] = CERTIFIED[type];
  const reader = wireReader(bytes);
  if (reader.text() !== type) return null;
  reader.string(); // The nonce.
  const start = reader.position();
  for (let part = 0; part < parts; part++) reader.string();
  const publicKey = blobOf(plainType, bytes.subarray(start, reader.position()));
  reader.long(); // The serial number.
  const kind = KINDS[reader.number()];
  const keyId = reader.text();
  const principals = readPrincipals(reader.string());
  const from = reader.long();
  const until = reader.long();
  // Options, extensions, a reserved text, the authority's key and its signature.
  for (let rest = 0; rest < 5; rest++) reader.string();
  if (!kind || !principals || reader.position() !== bytes.length) return null;
  return {
    kind,
    publicKey: `${plainType} ${publicKey}`,
    keyId,
    principals,
    validFrom: millisecondsOf(from) ?? Infinity,
    validUntil: millisecondsOf(until),
  };
}

function readPrincipals(bytes: Uint8Array): string[] | null {
  const reader = wireReader(bytes);
  const principals: string[] = [];
  while (reader.position() < bytes.length) {
    principals.push(reader.text());
    if (principals.length > PRINCIPALS_MAX) return null;
  }
  return principals;
}

/** Returns a public key in base64: its type, then its parts as the certificate holds them. */
function blobOf(type: string, parts: Uint8Array): string {
  const blob = new Uint8Array(4 + type.length + parts.length);
  new DataView(blob.buffer).setUint32(0, type.length);
  blob.set(new TextEncoder().encode(type), 4);
  blob.set(parts, 4 + type.length);
  return blob.toBase64();
}

const millisecondsOf = (seconds: bigint): number | null =>
  seconds > SECONDS_MAX ? null : Number(seconds) * 1000;

/** Returns why a certificate admits no one at `now`, with the time of it; null if it does. */
export function validityProblem(
  { validFrom, validUntil }: Certificate,
  now: number,
): { key: "certificate_expired" | "certificate_early"; at: number } | null {
  if (validUntil !== null && now >= validUntil) {
    return { key: "certificate_expired", at: validUntil };
  }
  return now < validFrom ? { key: "certificate_early", at: validFrom } : null;
}
