import { isoTime } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";
import { parseCertificate, validityProblem } from "../../execution/ssh/certificate.ts";
import type { KeyRow } from "./schema.ts";

/** KV takes 64 KiB per value. The rest is for the name and the public half. */
const BYTES_MAX = 58 * 1024;

/**
 * Returns a key with its certificate after a change. A missing `sent` keeps the stored one, unless
 * the private key was replaced. Throws 400 for a new one that cannot be used.
 */
export function withCertificate<Key extends Pick<KeyRow, "type" | "secret" | "public_key">>(
  key: Key,
  sent: string | null | undefined,
  stored: string | undefined,
  now: Date,
): Key & Pick<KeyRow, "certificate" | "certificate_reported"> {
  const text = sent ?? stored ?? "";
  const certificate = key.type === "ssh" ? parseCertificate(text) : null;
  if (!certificate) return { ...key, certificate: undefined };
  const { publicKey } = certificate;
  const isForeign = key.public_key !== undefined && !key.public_key.startsWith(`${publicKey} `);
  if (text === stored) return { ...key, certificate: isForeign ? undefined : text };
  if (isForeign) throw invalid("foreign_certificate");
  const problem = validityProblem(certificate, now.getTime());
  if (problem?.key === "certificate_expired") throw invalid(problem.key, problem.at);
  if ((key.secret?.length ?? 0) + text.length > BYTES_MAX) throw invalid("secret_too_large");
  return { ...key, certificate: text, certificate_reported: false };
}

const invalid = (problem: string, since = 0) =>
  invalidField("certificate", `errors.keys.${problem}`, { since: isoTime(since) });
