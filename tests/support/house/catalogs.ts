import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Catalog, catalogs } from "@/lib/i18n/catalogs.ts";

/** Sentences by their keys: "errors.run.internal". */
export type Sentences = Record<string, string>;

/** Suffixes for the forms of one sentence for different counts. Languages have different ones. */
export const PLURAL = /_(zero|one|two|few|many|other)$/;

export const sentencesOf = (language: string): Sentences => flatten(catalogs.get(language)!.read());

function flatten(catalog: Catalog, prefix = ""): Sentences {
  return Object.assign(
    {},
    ...Object.entries(catalog).map(([name, value]) =>
      typeof value === "string" ? { [prefix + name]: value } : flatten(value, `${prefix}${name}.`)
    ),
  );
}

/** Returns a catalog with these sentences. */
export function catalogOf(sentences: Sentences): Catalog {
  const catalog: Catalog = {};
  for (const [key, sentence] of Object.entries(sentences)) {
    const path = key.split(".");
    const name = path.pop()!;
    const holder = path.reduce((node, part) => (node[part] ??= {}) as Catalog, catalog);
    holder[name] = sentence;
  }
  return catalog;
}

/**
 * Returns the keys whose sentences are meant to equal the English ones: names, and words that are
 * the same.
 */
export async function meantKeys(language: string): Promise<Set<string>> {
  const file = join(
    fileURLToPath(new URL("../../..", import.meta.url)),
    "locales",
    `${language}.same`,
  );
  const text = await Deno.readTextFile(file).catch(() => "");
  return new Set(text.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
}

/** Returns the placeholders for data, each once: "{{name}}". */
const placeholdersOf = (sentence: string): string[] =>
  [...new Set(sentence.match(/\{\{\w+\}\}/g))].toSorted();

/** Returns the braces that are part of the text, such as those of a JSON object. */
const bracesOf = (sentence: string): string => sentence.replaceAll(/\{\{\w+\}\}|[^{}]/g, "");

/**
 * Returns the errors in a language's sentences, a line each: missing or extra keys, plural forms
 * that do not match its rules, placeholders, superfluous braces and blanks, and English.
 */
export function wrongSentences(
  language: string,
  sentences: Sentences,
  english: Sentences,
  meant: ReadonlySet<string>,
): string[] {
  const wrong: string[] = [];
  const wanted = wantedKeys(language, english);
  for (const key of wanted.keys()) if (!(key in sentences)) wrong.push(`${key}: is missing`);
  for (const [key, sentence] of Object.entries(sentences)) {
    const source = wanted.get(key);
    if (source === undefined) {
      wrong.push(`${key}: is no key, or no form that the language counts by`);
      continue;
    }
    const [placeholders, its] = [placeholdersOf(source), placeholdersOf(sentence)];
    // "One file" need not contain 1, but it must if 21 has the same form.
    const isFree = (name: string) => name === "{{count}}" && PLURAL.test(key);
    const lacking = placeholders.filter((name) => !its.includes(name) && !isFree(name));
    const unknown = its.filter((name) => !placeholders.includes(name) && !isFree(name));
    if (lacking.length > 0) wrong.push(`${key}: lacks ${lacking.join(" ")}`);
    if (unknown.length > 0) wrong.push(`${key}: has ${unknown.join(" ")}`);
    if (bracesOf(sentence) !== bracesOf(source)) wrong.push(`${key}: stray braces`);
    if (sentence.trim() !== sentence || sentence === "") wrong.push(`${key}: stray blanks`);
    const isSame = language !== "en" && sentence === source;
    if (isSame && !meant.has(key)) wrong.push(`${key}: is English`);
    if (!isSame && meant.has(key)) wrong.push(`${key}: is listed as English, and is not`);
  }
  for (const key of meant) if (!(key in sentences)) wrong.push(`${key}: is listed, and no key`);
  return wrong;
}

/** Returns the keys that a language must have, each with the English sentence for it. */
function wantedKeys(language: string, english: Sentences): Map<string, string> {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wanted = new Map<string, string>();
  for (const [key, sentence] of Object.entries(english)) {
    if (!PLURAL.test(key)) wanted.set(key, sentence);
    else if (key.endsWith("_other")) {
      const base = key.replace(PLURAL, "");
      for (const form of forms) {
        wanted.set(`${base}_${form}`, english[`${base}_${form}`] ?? sentence);
      }
    }
  }
  return wanted;
}
