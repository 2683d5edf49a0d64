/** Ranks of matches. Smaller is better. */
export const RANK = { exact: 0, prefix: 1, word: 2, inside: 3, scattered: 4 } as const;

/** Added to the rank of other texts than the name, so that every match of the name is better. */
export const BESIDE = 10;

/** Maximum number of words. Further ones are ignored. */
const WORDS_MAX = 10;

/** A query, prepared once. */
export interface SearchWords {
  text: string;
  words: string[];
}

/** Returns the prepared query. Case and the space between words do not matter. */
export function wantedOf(query: string): SearchWords {
  const words = fold(query).split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  return { text: words.join(" "), words };
}

/**
 * Returns the rank of `text`; null unless it contains every word. An empty query matches nothing.
 */
export function rankOf(text: string, { text: whole, words }: SearchWords): number | null {
  if (whole === "") return null;
  const folded = fold(text);
  const at = folded.indexOf(whole);
  if (at === 0) return folded.length === whole.length ? RANK.exact : RANK.prefix;
  if (at > 0) return beginsWord(folded, whole, at) ? RANK.word : RANK.inside;
  if (words.length === 1) return null;
  return words.every((word) => folded.includes(word)) ? RANK.scattered : null;
}

/** Whether a word begins at a match of the text, from `at` on. */
function beginsWord(text: string, wanted: string, at: number): boolean {
  while (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1])) {
    at = text.indexOf(wanted, at + wanted.length);
  }
  return at > 0;
}

/** Maximum numbers of characters before the match, and in the whole excerpt. */
const BEFORE = 60;
const EXCERPT_LENGTH = 200;

/** Returns the text, or the part of a long one around the first match. */
export function excerptOfText(text: string, { text: whole, words }: SearchWords): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const folded = fold(text);
  const at = Math.max(folded.indexOf(whole), folded.indexOf(words[0] ?? ""), 0);
  const start = at <= BEFORE ? 0 : at - BEFORE;
  const end = start + EXCERPT_LENGTH;
  const part = text.slice(start, end).toWellFormed();
  return (start > 0 ? "…" : "") + part + (end < text.length ? "…" : "");
}

const fold = (text: string) => text.toLowerCase();
