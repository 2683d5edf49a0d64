import { createHash } from "node:crypto";

const CODES = 10;
const GROUPS = 4;
const GROUP_LETTERS = 4;
/** Letters that are not mistaken for others. There are 32, so that all are equally likely. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Returns ten codes of 80 random bits each. They cannot be guessed, so a plain hash is enough. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LETTERS));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.replace(/.{4}(?=.)/g, "$&-");
}

/** Returns the hash that is stored of a code, however the code is typed. */
export const hashRecoveryCode = (code: string): string =>
  createHash("sha256").update(code.toLowerCase().replace(/[^a-z0-9]/g, "")).digest("base64url");
