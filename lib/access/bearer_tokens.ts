import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** A secret that signs in its bearer; only its hash is stored. */
export interface BearerToken {
  text: string;
  hash: string;
}

/**
 * Creates a token of 32 random bytes. It ends with the user's id, so that the rows of the token and
 * the user can be read together.
 */
export function newBearerToken(userId: number): BearerToken {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const text = `${random}.${userId}`;
  return { text, hash: hashToken(text) };
}

/** Returns the user's id that a token claims; null if the text is not a token of this server. */
export function claimedUserId(text: string): number | null {
  const claim = claimOf(text);
  return claim?.projectId === null ? claim.userId : null;
}

/**
 * Creates a token of a project. It ends with its creator's id and the project's, so that the rows
 * that decide whether it works can be read together.
 */
export function newProjectToken(userId: number, projectId: number): BearerToken {
  const text = `${newBearerToken(userId).text}.${projectId}`;
  return { text, hash: hashToken(text) };
}

/** The claims of a token in its last parts: the person, and the project. */
export interface Claim {
  userId: number;
  /** Null for a token of a person. */
  projectId: number | null;
}

/** Returns what a token claims; null if the text is not a token of this server. */
export function claimOf(text: string): Claim | null {
  const [, user, project] = /^[\w-]{43}\.([1-9]\d{0,15})(?:\.([1-9]\d{0,15}))?$/.exec(text) ?? [];
  return user === undefined
    ? null
    : { userId: Number(user), projectId: project === undefined ? null : Number(project) };
}

/**
 * Returns the hash that is stored of a token. A token is fully random, so it needs no slow hash.
 * Hashing is synchronous because passing so few bytes to another thread costs thirty times as much.
 */
export const hashToken = (text: string): string =>
  createHash("sha256").update(text).digest("base64url");

/** Returns the token of an Authorization header unchanged; null without one. */
export function bearerOf(headers: Headers): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}
