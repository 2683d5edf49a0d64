import { Buffer } from "node:buffer";
import type { PublicDeps } from "../../access/deps.ts";
import type { SecretBox } from "../../access/secret_box.ts";
import type { Clock } from "../../base/time/clock.ts";
import { notFound } from "../../base/errors.ts";
import { reveal } from "../../base/secret.ts";

/** Header of a request by which a check-up looks at a server as visitors reach it. */
export const PROBE_HEADER = "x-callboard-probe";

/** A probe is for one check-up. The clocks of several servers may differ. */
const AGE_MS_MAX = 5 * 60_000;
const MARK = "callboard-probe";

/** A server's answer to a probe. */
export interface ProbeAnswer {
  /** Proves that the server has the same secret key. */
  nonce: string;
  /** Identifies the server's process. */
  instance: string;
  /** Origin of the request, and the address that it came from, as the server sees them. */
  origin: string;
  address: string;
  /** Headers as they arrived; null for missing ones. */
  forwardedFor: string | null;
  forwardedProto: string | null;
}

/** A value that only servers with this secret key can read, and its secret part. */
export async function createProbe(secrets: SecretBox, { now }: Pick<Clock, "now">) {
  const nonce = crypto.randomUUID();
  const sealed = await secrets.seal([MARK, now().toISOString(), nonce].join(" "));
  return { nonce, header: Buffer.from(sealed).toString("base64url") };
}

/** Returns the nonce of a probe. Throws not found for anything else, and for an old one. */
export async function readProbe({ secrets, clock }: PublicDeps, headers: Headers): Promise<string> {
  const sealed = new Uint8Array(Buffer.from(headers.get(PROBE_HEADER) ?? "", "base64url"));
  const opened = await secrets.open(sealed).catch(() => null);
  const [mark, at, nonce] = opened ? reveal(opened, "compare").split(" ") : [];
  const age = Math.abs(clock.now().getTime() - Date.parse(at ?? ""));
  if (mark !== MARK || !(age < AGE_MS_MAX)) throw notFound();
  return nonce;
}
