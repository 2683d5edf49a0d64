import type { ComponentChildren } from "preact";
import { visible } from "../../lib/i18n/visible.ts";

/**
 * A text with what was looked for in it set off. Capitals do not matter. Not in a fragment: of one
 * that holds nothing else, precompiled JSX makes an escaped text, which is then escaped once more.
 */
export function Marked({ text, found }: { text: string; found: string }): ComponentChildren {
  const shown = visible(text);
  const folded = shown.toLowerCase();
  const wanted = found.trim().replace(/\s+/g, " ").toLowerCase();
  // A few letters change their length with their case: then nothing is set off.
  if (wanted === "" || folded.length !== shown.length) return shown;
  const words = folded.includes(wanted) ? [wanted] : wanted.split(" ").slice(0, WORDS_MAX);
  return parts(shown, folded, words);
}

const WORDS_MAX = 10;

/** Goes through the text once: after each place it is looked for the next of any word. */
function parts(text: string, folded: string, words: string[]): ComponentChildren[] {
  const next = words.map((word) => ({ word, at: folded.indexOf(word) }));
  const made: ComponentChildren[] = [];
  let end = 0;
  for (;;) {
    const found = next.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at).at(0);
    if (!found) return [...made, text.slice(end)];
    const { at, word } = found;
    if (at >= end) {
      made.push(text.slice(end, at), <mark>{text.slice(at, at + word.length)}</mark>);
      end = at + word.length;
    }
    found.at = folded.indexOf(word, Math.max(end, at + 1));
  }
}
