import { base64 } from "@scure/base";
import type { SecretBox } from "../../access/secret_box.ts";
import { reveal } from "../../base/secret.ts";
import { newTotpSecret, readableSecret, totpUri } from "./totp.ts";

/** What apps list the account under. */
const ISSUER = "Callboard";
/** How long a page that shows a secret may be sent. */
const SETUP_MS = 30 * 60_000;

/** A secret that no account has yet: to be taken over into an app. */
export interface Setup {
  /** Comes back with the first code: sealed, for one session and not for long. Nothing is stored. */
  sealed: string;
  uri: string;
  readable: string;
}

/** A new secret, or with `sealed` the one of a form that was not right yet. */
export async function setUp(
  box: SecretBox,
  account: string,
  session: string,
  now: Date,
  sealed?: string,
): Promise<Setup> {
  const before = sealed ? await openSetup(box, sealed, session, now) : null;
  const secret = before ?? newTotpSecret();
  const text = JSON.stringify([base64.encode(secret), session, now.getTime() + SETUP_MS]);
  return {
    sealed: base64.encode(await box.seal(text)),
    uri: totpUri(secret, ISSUER, account),
    readable: readableSecret(secret),
  };
}

/** The secret of a form; null for one of another session, or of long ago. */
export async function openSetup(
  box: SecretBox,
  sealed: string,
  session: string,
  now: Date,
): Promise<Uint8Array | null> {
  try {
    const [secret, of, until] = JSON.parse(reveal(await box.open(base64.decode(sealed))));
    return of === session && now.getTime() < until ? base64.decode(secret) : null;
  } catch {
    return null; // not ours, or of another secret key
  }
}

/** What is stored of a secret. */
export const sealTotp = (box: SecretBox, secret: Uint8Array): Promise<Uint8Array> =>
  box.seal(base64.encode(secret));

/** The secret of what is stored. Throws 422 when it was sealed with another key. */
export const openTotp = async (box: SecretBox, sealed: Uint8Array): Promise<Uint8Array> =>
  base64.decode(reveal(await box.open(sealed)));
