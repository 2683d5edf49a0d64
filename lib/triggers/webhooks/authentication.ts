import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { isSameSecret } from "../../access/same_secret.ts";
import type { IntegrationRow } from "../integrations/schema.ts";

type Auth = Pick<IntegrationRow, "auth_method" | "auth_header">;

interface Signature {
  hash: "sha256" | "sha512";
  /** Header of a service; without one the integration names it. */
  header?: string;
}

/** Methods that sign the body with the hash's hex digits, after a prefix such as "sha256=". */
const SIGNATURES: Partial<Record<Auth["auth_method"], Signature>> = {
  github: { hash: "sha256", header: "X-Hub-Signature-256" },
  bitbucket: { hash: "sha256", header: "X-Hub-Signature" },
  hmac: { hash: "sha256" },
  "hmac-sha512": { hash: "sha512" },
};

/**
 * Whether a call proves that it knows `secret`, and for `basic` the `login` of the same key. Always
 * false without a secret or without a header to read. Comparisons take constant time.
 */
export function isAuthentic(
  { auth_method, auth_header }: Auth,
  secret: string | null,
  { headers, body }: { headers: Headers; body: Uint8Array },
  login = "",
): boolean {
  if (auth_method === "" || auth_method === "none") return true;
  const signature = SIGNATURES[auth_method];
  const name = auth_method === "basic" ? "Authorization" : signature?.header ?? auth_header;
  const given = name === "" ? null : headers.get(name);
  if (!secret || given === null) return false;
  if (auth_method === "basic") {
    const [, encoded = ""] = /^basic +(\S+)$/i.exec(given) ?? [];
    return isSameSecret(Buffer.from(encoded, "base64"), Buffer.from(`${login}:${secret}`));
  }
  // A header value has one byte per character.
  if (!signature) return isSameSecret(Buffer.from(given, "latin1"), Buffer.from(secret));
  return isSigned(given, signature, createHmac(signature.hash, secret).update(body).digest());
}

/** A service's own header always has the prefix. It is optional in a header chosen by the user. */
function isSigned(given: string, { hash, header }: Signature, expected: Buffer): boolean {
  const prefix = `${hash}=`;
  if (header && !given.startsWith(prefix)) return false;
  const digits = given.startsWith(prefix) ? given.slice(prefix.length) : given;
  return digits.length === expected.length * 2 && /^[0-9a-f]+$/i.test(digits) &&
    isSameSecret(Buffer.from(digits, "hex"), expected);
}
