import type { ComponentChildren } from "preact";
import { visible } from "../../lib/i18n/visible.ts";

/**
 * A text with the search words highlighted, ignoring case. Returns no fragment, because precompiled
 * JSX escapes the text twice if a fragment holds nothing else.
 */
export function Highlighted({ text, found }: { text: string; found: string }): ComponentChildren {
  const shown = visible(text);
  const folded = shown.toLowerCase();
  const wanted = found.trim().replace(/\s+/g, " ").toLowerCase();
  // The case of a few letters changes their length. Then nothing is highlighted.
  if (wanted === "" || folded.length !== shown.length) return shown;
  const words = folded.includes(wanted) ? [wanted] : wanted.split(" ").slice(0, WORDS_MAX);
  return parts(shown, folded, words);
}

const WORDS_MAX = 10;

/** Scans the text once. After each match it continues with the nearest match of any word. */
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
