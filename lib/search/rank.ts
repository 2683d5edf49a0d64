/** How well a text fits: smaller is better. */
export const RANK = { exact: 0, prefix: 1, word: 2, inside: 3, scattered: 4 } as const;

/** What makes a fit of another text than the name worse than each fit of the name. */
export const BESIDE = 10;

/** Words beyond these are not looked for. */
const WORDS_MAX = 10;

/** What is looked for, made ready once. */
export interface Wanted {
  text: string;
  words: string[];
}

/** Capitals, and how much space is between words, do not matter. */
export function wantedOf(query: string): Wanted {
  const words = fold(query).split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  return { text: words.join(" "), words };
}

/** How well `text` fits; null when not every word is in it. An empty query fits nothing. */
export function rankOf(text: string, { text: whole, words }: Wanted): number | null {
  if (whole === "") return null;
  const folded = fold(text);
  const at = folded.indexOf(whole);
  if (at === 0) return folded.length === whole.length ? RANK.exact : RANK.prefix;
  if (at > 0) return beginsWord(folded, whole, at) ? RANK.word : RANK.inside;
  if (words.length === 1) return null;
  return words.every((word) => folded.includes(word)) ? RANK.scattered : null;
}

/** Whether a word begins where the text is found from `at` on. */
function beginsWord(text: string, wanted: string, at: number): boolean {
  while (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1])) {
    at = text.indexOf(wanted, at + wanted.length);
  }
  return at > 0;
}

/** What is shown of a long text: so much before what was found, and in all. */
const BEFORE = 60;
const EXCERPT_LENGTH = 200;

/** The text, or the part of a long one in which what is wanted stands first. */
export function excerptOf(text: string, { text: whole, words }: Wanted): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const folded = fold(text);
  const at = Math.max(folded.indexOf(whole), folded.indexOf(words[0] ?? ""), 0);
  const start = at <= BEFORE ? 0 : at - BEFORE;
  const end = start + EXCERPT_LENGTH;
  const part = text.slice(start, end).toWellFormed();
  return (start > 0 ? "…" : "") + part + (end < text.length ? "…" : "");
}

const fold = (text: string) => text.toLowerCase();
