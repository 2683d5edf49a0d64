import i18next, { type i18n } from "i18next";
import en from "../../locales/en.json" with { type: "json" };
import type { Sentence, SentenceParams } from "../base/errors.ts";
import type { Language } from "./languages.ts";
import { visible } from "./visible.ts";

export type Translate = (key: string, params?: Sentence["params"]) => string;

const CATALOGS: Partial<Record<Language, object>> = { en };

/** The languages that have sentences. */
export const OFFERED_LANGUAGES = Object.keys(CATALOGS) as Language[];

const translators = new Map<Language, Translate>();

/** The sentences of a language; what it lacks comes in English. */
export function translator(language: Language): Translate {
  const known = translators.get(language);
  if (known) return known;
  const t = instance.getFixedT(language);
  const sentences = new Map<string, string>();
  // Looking a key up costs more than rendering its table cell: a sentence is looked up once.
  const sentence = (key: string): string => {
    const kept = sentences.get(key) ?? t(key, { skipInterpolation: true });
    sentences.set(key, kept);
    return kept;
  };
  const list = new Intl.ListFormat(language, { type: "unit" });
  const textOf = (value: string | number | Sentence[]): string =>
    Array.isArray(value)
      ? list.format(value.map(({ key, params }) => translate(key, params)))
      // What people have typed must not turn the rest of a sentence around.
      : visible(String(value));
  const fillIn = (sentence: string, params: SentenceParams) =>
    sentence.replace(/\{\{(\w+)\}\}/g, (_, name) => textOf(params[name] ?? ""));
  const translate: Translate = (key, params) => {
    // Which plural it is depends on the number.
    if (params && "count" in params) return t(key, params);
    return params ? fillIn(sentence(key), params) : sentence(key);
  };
  translators.set(language, translate);
  return translate;
}

const instance: i18n = i18next.createInstance();
await instance.init({
  fallbackLng: "en",
  resources: Object.fromEntries(
    Object.entries(CATALOGS).map(([language, translation]) => [language, { translation }]),
  ),
  lowerCaseLng: true,
  returnNull: false,
  // The renderer escapes HTML; a second time here would show "&amp;" to people.
  interpolation: { escape: visible },
});
