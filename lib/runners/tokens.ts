import { Buffer } from "node:buffer";
import { type BearerToken, hashToken } from "../access/bearer_tokens.ts";
import { isSameSecret } from "../access/same_secret.ts";

/**
 * Kinds of tokens by their first letters, which scanners for leaked secrets can find. None has the
 * form of a person's token.
 */
const PREFIXES = {
  /** Signs in a registered runner. */
  runner: "cbr_",
  /** Registers one runner, once. */
  once: "cbo_",
  /** Registers several runners. */
  reusable: "cbm_",
} as const;
type TokenKind = keyof typeof PREFIXES;

const FORM = /^(cb[rom]_)[\w-]{43}\.([1-9]\d{0,15})$/;

/** Creates a token of 32 random bytes, which ends with the id of the row that has its hash. */
export function newRunnerToken(kind: TokenKind, id: number): BearerToken {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const text = `${PREFIXES[kind]}${random}.${id}`;
  return { text, hash: hashToken(text) };
}

/** Returns the id in a token of this kind; null if the text is not one. */
export function claimedId(kind: TokenKind, text: string | null): number | null {
  const [, prefix, id] = FORM.exec(text ?? "") ?? [];
  return prefix === PREFIXES[kind] ? Number(id) : null;
}

/** Whether `text` is the token with this hash. It takes as long without a hash. */
export const isToken = (text: string, hash: string | null | undefined): boolean =>
  isSameSecret(hashToken(text), hash ?? "") && Boolean(hash);
