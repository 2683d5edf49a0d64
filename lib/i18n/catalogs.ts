import { baseNameOf, localeOf } from "./locale.ts";

/** The sentences of a language by their keys, grouped by topic. */
export interface Catalog {
  [key: string]: string | Catalog;
}

/** Name of a file in `locales/`, in lower case: "pt-br". */
export type Language = string;

const FOLDER = new URL("../../locales/", import.meta.url);

/** The available languages: one for each file of sentences, English first. */
export const catalogs: Map<Language, Catalog> = readCatalogs();

function readCatalogs(): Map<Language, Catalog> {
  const languages = [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .flatMap((name) => /^([a-z-]+)\.json$/.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(b === "en") - Number(a === "en") || (a < b ? -1 : 1));
  const read = (language: Language) =>
    JSON.parse(Deno.readTextFileSync(new URL(`${language}.json`, FOLDER)));
  return new Map(languages.map((language) => [language, read(language)]));
}

/** Returns the name of a language in that language, such as "Deutsch". */
export const languageName = (language: Language): string =>
  sentenceIn(catalogs.get(language)!, "language.name");

function sentenceIn(catalog: Catalog, key: string): string {
  let found: string | Catalog = catalog;
  for (const part of key.split(".")) found = (found as Catalog)[part];
  return String(found);
}

/** Returns a language as HTML writes it: "pt-BR" rather than "pt-br". */
export const htmlLanguage = (language: Language): string => baseNameOf(localeOf(language));
