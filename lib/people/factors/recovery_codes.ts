import { createHash } from "node:crypto";

const CODES = 10;
const GROUPS = 4;
const GROUP_LETTERS = 4;
/** No letters that are taken for others: 32 of them, so that each byte's rest is fair. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Ten codes of 80 random bits each: too many to guess, so that a plain hash is enough. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LETTERS));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.replace(/.{4}(?=.)/g, "$&-");
}

/** What is stored of a code, however it is typed. */
export const hashRecoveryCode = (code: string): string =>
  createHash("sha256").update(code.toLowerCase().replace(/[^a-z0-9]/g, "")).digest("base64url");
