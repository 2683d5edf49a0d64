import { createTOTPKeyURI, generateHOTP } from "@oslojs/otp";
import { base32nopad } from "@scure/base";
import { isSameSecret } from "../../access/same_secret.ts";

/** What every app can do (RFC 6238): SHA-1, six digits, a new code each 30 seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** As long as the hash, which RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Clocks of phones differ a little, and people type slowly. */
const STEPS_AROUND = [0, -1, 1];

export const newTotpSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** What a QR picture tells an app. */
export const totpUri = (secret: Uint8Array, issuer: string, account: string): string =>
  createTOTPKeyURI(issuer, account, secret, STEP_SECONDS, DIGITS);

/** The secret as people type it into an app: in groups of four. */
export const readableSecret = (secret: Uint8Array): string =>
  base32nopad.encode(secret).replace(/.{4}(?=.)/g, "$& ");

/** The code of an app at a time; `steps` later or earlier. */
export const totpAt = (secret: Uint8Array, now: Date, steps = 0): string =>
  generateHOTP(secret, BigInt(stepAt(now) + steps), DIGITS);

/**
 * The time step whose code this is, if it is one of now and later than `lastStep`; null for any
 * other text. A code counts once, and none counts that is older than one that was used.
 */
export function matchTotp(
  secret: Uint8Array,
  code: string,
  now: Date,
  lastStep: number,
): number | null {
  const typed = code.replace(/\s/g, "");
  const matching = STEPS_AROUND.filter((steps) => isSameSecret(typed, totpAt(secret, now, steps)))
    .map((steps) => stepAt(now) + steps);
  return matching.find((step) => step > lastStep) ?? null;
}

const stepAt = (now: Date) => Math.floor(now.getTime() / 1000 / STEP_SECONDS);
