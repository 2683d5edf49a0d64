import { catalogs } from "@/lib/i18n/catalogs.ts";
import { catalogOf, type Sentences, sentencesOf } from "./catalogs.ts";

/**
 * A language that nobody reads: English with marks on its letters, two fifths longer, each piece of
 * a sentence in brackets, so that what is filled in stands outside of them. Its dates, numbers and
 * plurals are Hungarian, which is none of ours and counts as English does.
 */
export const PSEUDO = "hu";

/** Lets the servers of this test speak the language until it is disposed of. */
export function speakPseudo(): Disposable {
  const sentences = Object.entries(sentencesOf("en"))
    .map(([key, sentence]) => [key, pseudoOf(sentence)]);
  catalogs.set(PSEUDO, catalogOf(Object.fromEntries(sentences) as Sentences));
  return { [Symbol.dispose]: () => void catalogs.delete(PSEUDO) };
}

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MARKED = [..."áḃćđéḟǵĥíĵḱĺṁńóṗɋŕśţúṽẃẋýźÁḂĆĐÉḞǴĤÍĴḰĹṀŃÓṖɊŔŚŢÚṼẂẊÝŹ"];

const pseudoOf = (sentence: string): string =>
  sentence.split(/(\{\{\w+\}\})/).map((part) => {
    if (part.startsWith("{{") || part.trim() === "") return part;
    const marked = [...part].map((letter) => MARKED[PLAIN.indexOf(letter)] ?? letter).join("");
    const padding = "~".repeat(Math.ceil(part.trim().length * 0.4));
    return marked.replace(/^(\s*)(.*?)(\s*)$/s, `$1⟦$2${padding}⟧$3`);
  }).join("");

/** What of a text is not of the language: words outside of the brackets, but for those of `names`. */
export function foreignWords(text: string, names: string[]): string[] {
  let rest = text.replaceAll(/⟦[^⟧]*⟧|https?:\/\/callboard\.test\/[^\s⟦]*/g, " | ");
  for (const name of names) rest = rest.replaceAll(name, " | ");
  return rest.match(/\p{L}[\p{L}\p{M}'-]+/gu) ?? [];
}
