import { invalidField } from "../../base/errors.ts";

const LENGTH_MAX = 100;
/**
 * Characters that are invisible or reorder the text around them: zero-width, bidi, blank Braille.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const withoutUnseen = (text: string) => text.normalize("NFKC").replaceAll(UNSEEN, "").trim();

/** Returns a provider's name without invisible characters, and with one form of its letters. */
export const visibleName = (text: string, max: number): string =>
  withoutUnseen(text).slice(0, max).toWellFormed();

export const visibleUsername = (text: string): string => visibleName(text, LENGTH_MAX);

/** Returns a new username that was typed or sent. Throws 400 for invisible characters. */
export function newUsername(text: string): string {
  const username = text.normalize("NFKC").trim();
  if (username !== withoutUnseen(text) || username === "") {
    throw invalidField("username", "errors.username_unseen");
  }
  if (username.length > LENGTH_MAX) throw invalidField("username", "errors.too_long");
  return username;
}
