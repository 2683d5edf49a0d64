import { catalogs } from "@/lib/i18n/catalogs.ts";
import { catalogOf, type Sentences, sentencesOf } from "./catalogs.ts";

/**
 * A test language: English with accented letters, two fifths longer, each piece of a sentence in
 * brackets, so that inserted values are outside them. Its dates, numbers and plurals are Hungarian,
 * which Callboard does not offer and which counts as English does.
 */
export const PSEUDO = "hu";

/** Adds the language to the servers of this test until it is disposed. */
export function speakPseudo(): Disposable {
  const sentences = Object.entries(sentencesOf("en"))
    .map(([key, sentence]) => [key, pseudoOf(sentence)]);
  const catalog = catalogOf(Object.fromEntries(sentences) as Sentences);
  catalogs.set(PSEUDO, { name: pseudoOf("English"), read: () => catalog });
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

/** Returns the words of a text outside of the brackets, except those of `names`. */
export function foreignWords(text: string, names: string[]): string[] {
  let rest = text.replaceAll(/⟦[^⟧]*⟧|https?:\/\/callboard\.test\/[^\s⟦]*/g, " | ");
  for (const name of names) rest = rest.replaceAll(name, " | ");
  return rest.match(/\p{L}[\p{L}\p{M}'-]+/gu) ?? [];
}
