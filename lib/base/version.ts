/**
 * A version is a digest of the stored row and not its versionstamp: it is the same on each server
 * and after a restore, and writing the same again moves nothing. Secrets count as they are stored,
 * so no one can try values. An `ETag` is the version and a digest of the answer. `If-Match`
 * compares the version alone: a task that ran does not change its template.
 *
 * Clients of the API that know no versions work as before, and so does a form without one, as
 * scripts send it. An object that is deleted while its form is open is answered 404.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "./errors.ts";

const ROW = Symbol("the row that a view is of");

/** Versions that a change is meant for; undefined means any stored version. */
export type Expected = readonly string[] | undefined;

/**
 * Returns a copy of a view that remembers its row in a property that copies and JSON do not
 * include.
 */
export const versioned = <View extends object>(view: View, row: object): View =>
  Object.defineProperty({ ...view }, ROW, { value: row });

/** Returns some members of a row or its view as a view of these alone, with their version. */
export function membersOf<Row extends object, Member extends keyof Row>(
  row: Row,
  members: readonly Member[],
): Pick<Row, Member> {
  const some = Object.fromEntries(members.map((name) => [name, row[name]])) as Pick<Row, Member>;
  return versioned(some, some);
}

/** Returns the version of a view's row; null if the view has none. */
export function versionOf(view: object | null): string | null {
  const row = (view as { [ROW]?: object } | null)?.[ROW];
  return row ? versionOfRow(row) : null;
}

/**
 * Throws 412 unless `row` has one of the expected versions. Called in the commit that changes the
 * row.
 */
export function requireVersion(row: object, expected: Expected): void {
  if (expected && !expected.includes(versionOfRow(row))) throw changedMeanwhile();
}

/** 412: the stored row is not the one that the change was made for. */
export const changedMeanwhile = () => new AppError(412, "errors.changed_meanwhile");

/**
 * Characters of a version that stand for the visible members of a row. The rest stand for secrets.
 */
const OPEN_LENGTH = 16;
const HIDDEN_LENGTH = 8;

/**
 * Returns a version that is equal for equal rows on every server and differs after each change.
 * Secrets contribute in their stored form: sealed with a nonce of their own, or hashed with a salt.
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

/** Returns the part of a version that changes when a secret does. */
export const hiddenPart = (version: string): string =>
  version.slice(OPEN_LENGTH, OPEN_LENGTH + HIDDEN_LENGTH);

/** Returns a short text that differs where texts do. */
export const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, length);
