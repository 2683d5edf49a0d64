import { baseNameOf, localeOf } from "./locale.ts";

/** The sentences of a language by their keys, grouped by topic. */
export interface Catalog {
  [key: string]: string | Catalog;
}

/** Name of a file in `locales/`, in lower case: "pt-br". */
export type Language = string;

const FOLDER = new URL("../../locales/", import.meta.url);

const NAMES: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português (Portugal)",
  "pt-br": "Português (Brasil)",
  ru: "Русский",
  "zh-cn": "简体中文",
  "zh-tw": "繁體中文",
};

interface Offered {
  /** The name of the language in that language. */
  name: string;
  /** Reads the sentences. Most servers use few languages, and each takes half a megabyte. */
  read(): Catalog;
}

/** The available languages, English first. */
export const catalogs: Map<Language, Offered> = new Map(
  Object.entries(NAMES).map(([language, name]) => [language, {
    name,
    read: () => JSON.parse(Deno.readTextFileSync(new URL(`${language}.json`, FOLDER))),
  }]),
);

/** Returns a language as HTML writes it: "pt-BR" rather than "pt-br". */
export const htmlLanguage = (language: Language): string => baseNameOf(localeOf(language));
