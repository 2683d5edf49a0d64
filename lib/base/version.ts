import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "./errors.ts";

const ROW = Symbol("the row that a view is of");

/** The versions that a change is meant for; undefined means whatever is stored. */
export type Expected = readonly string[] | undefined;

/** A view that remembers which row it is of, unseen by whatever copies it or makes JSON of it. */
export const versioned = <View extends object>(view: View, row: object): View =>
  Object.defineProperty({ ...view }, ROW, { value: row });

/** The version of what a view is of; null where that has none. */
export function versionOf(view: object | null): string | null {
  const row = (view as { [ROW]?: object } | null)?.[ROW];
  return row ? versionOfRow(row) : null;
}

/** Throws 412 unless `row` is of one of the versions. To be asked in the commit that changes it. */
export function requireVersion(row: object, expected: Expected): void {
  if (expected && !expected.includes(versionOfRow(row))) throw changedMeanwhile();
}

/** 412: what is stored is not what the change was made for. */
export const changedMeanwhile = () => new AppError(412, "errors.changed_meanwhile");

/** Characters that the open members of a row give; those after them are of what nobody may see. */
const OPEN_LENGTH = 16;
const HIDDEN_LENGTH = 8;

/**
 * The same for equal rows, on each server, and another one after each change. Of secrets it takes
 * in what they are stored as: sealed with a nonce of their own, or hashed with a salt.
 */
export function versionOfRow(row: object): string {
  const hidden: string[] = [];
  const open = JSON.stringify(row, (name, value) => {
    const isSealed = value instanceof Uint8Array;
    if (!isSealed && name !== "password") return value;
    hidden.push(isSealed ? Buffer.from(value).toString("base64") : String(value));
  });
  return digest(open, OPEN_LENGTH) + digest(hidden.join(), HIDDEN_LENGTH);
}

/** The part of a version that moves when a secret does. */
export const hiddenPart = (version: string): string =>
  version.slice(OPEN_LENGTH, OPEN_LENGTH + HIDDEN_LENGTH);

/** A short text that differs where texts do. */
export const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, length);
