import { createTOTPKeyURI, generateHOTP } from "@oslojs/otp";
import { base32nopad } from "@scure/base";
import { isSameSecret } from "../../access/same_secret.ts";

/**
 * Parameters that every app supports (RFC 6238): SHA-1, six digits, a new code every 30 seconds.
 */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** As long as the hash, which RFC 4226 recommends. */
const SECRET_BYTES = 20;
/**
 * Adjacent codes count as well, because clocks of phones differ a little and people type slowly.
 */
const STEPS_AROUND = [0, -1, 1];

export const newTotpSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** Returns the URI that a QR code contains for an app. */
export const totpUri = (secret: Uint8Array, issuer: string, account: string): string =>
  createTOTPKeyURI(issuer, account, secret, STEP_SECONDS, DIGITS);

/** Returns the secret as people type it into an app, in groups of four. */
export const readableSecret = (secret: Uint8Array): string =>
  base32nopad.encode(secret).replace(/.{4}(?=.)/g, "$& ");

/** Returns the code of an app at a time, or `steps` later or earlier. */
export const totpAt = (secret: Uint8Array, now: Date, steps = 0): string =>
  generateHOTP(secret, BigInt(stepAt(now) + steps), DIGITS);

/**
 * Returns the time step of a code if it is a current step and later than `lastStep`; null for any
 * other text. A code counts once, and no code counts that is older than a used one.
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
