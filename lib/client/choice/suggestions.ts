import type { Choosable } from "./find.ts";

/** Maximum number of suggestions that are shown. */
const SHOWN_MAX = 50;

/**
 * Returns the suggestions of a list for a text: those that contain it, or for a list of words those
 * that can follow, each with the words before it.
 */
export function suggestionsFor(
  listed: readonly string[],
  text: string,
  isOfWords = false,
): Choosable[] {
  const before = isOfWords ? /^.*[,\s]/.exec(text)?.[0] ?? "" : "";
  const words = new Set(before.split(/[,\s]+/));
  const wanted = text.slice(before.length).toLowerCase();
  return listed.filter((one) => one.toLowerCase().includes(wanted) && !words.has(one))
    .slice(0, SHOWN_MAX)
    .map((label) => ({ value: before + label, label, group: "" }));
}

/** Returns the values of a `datalist`. */
export const listedIn = (listId: string): string[] =>
  [...document.querySelectorAll<HTMLOptionElement>(`#${CSS.escape(listId)} > option`)]
    .map(({ value }) => value);
