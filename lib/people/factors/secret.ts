import { base64 } from "@scure/base";
import type { SecretBox } from "../../access/secret_box.ts";
import { reveal } from "../../base/secret.ts";
import { newTotpSecret, readableSecret, totpUri } from "./totp.ts";

/** Name under which apps list the account. */
const ISSUER = "Callboard";
/** How long a page that shows a secret can be submitted. */
const SETUP_MS = 30 * 60_000;

/** A secret that no account has yet, to be added to an app. */
export interface Setup {
  /**
   * Sealed secret that returns with the first code. It is valid for one session and a limited time,
   * and nothing is stored.
   */
  sealed: string;
  uri: string;
  readable: string;
}

/** Returns a new secret, or the one in `sealed` from a form that is shown again after an error. */
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

/** Returns the secret of a form; null if it is from another session or too old. */
export async function openSetup(
  box: SecretBox,
  sealed: string,
  session: string,
  now: Date,
): Promise<Uint8Array | null> {
  try {
    const [secret, of, until] = JSON.parse(reveal(await box.open(base64.decode(sealed)), "resume"));
    return of === session && now.getTime() < until ? base64.decode(secret) : null;
  } catch {
    return null; // not ours, or sealed with another secret key
  }
}

/** Seals a secret for the store. */
export const sealTotp = (box: SecretBox, secret: Uint8Array): Promise<Uint8Array> =>
  box.seal(base64.encode(secret));

/** Opens a stored secret. Throws 422 if it was sealed with another key. */
export const openTotp = async (box: SecretBox, sealed: Uint8Array): Promise<Uint8Array> =>
  base64.decode(reveal(await box.open(sealed), "compare"));
