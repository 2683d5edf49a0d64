import i18next, { type i18n } from "i18next";
import type { Sentence, SentenceParams } from "../base/errors.ts";
import { catalogs, type Language } from "./catalogs.ts";
import { formatsOf, numberText } from "./formats.ts";
import { localeOf } from "./locale.ts";
import { visible } from "./visible.ts";

export type Translate = (key: string, params?: SentenceParams) => string;

/**
 * The sentences of a language, with English for those it lacks. Times are in the zone, numbers have
 * the unit that is the name of their parameter, and both are written as the locale has them.
 */
export function translator(
  language: Language,
  { timeZone = "UTC", locale = localeOf(language) } = {},
): Translate {
  const sentenceOf = sentencesOf(language);
  const formats = formatsOf(locale, timeZone);
  const textOf = (name: string, value: SentenceParams[string]): string => {
    if (typeof value === "number") return numberText(formats, name, value);
    if (Array.isArray(value)) return formats.list.format(value.map(tell));
    if (typeof value === "object") return tell(value);
    if (name === "since") return formats.dateTime.format(new Date(value));
    // What people have typed must not turn the rest of a sentence around.
    return visible(value);
  };
  const tell = ({ key, params }: Sentence) => t(key, params);
  const t: Translate = (key, params) => {
    const sentence = sentenceOf(key, params?.count);
    if (!params) return sentence;
    return sentence.replace(/\{\{(\w+)\}\}/g, (_, name) => textOf(name, params[name] ?? ""));
  };
  return t;
}

/** Made once a language: to look a key up costs more than to render its table cell. */
const known = new Map<Language, ReturnType<typeof readSentences>>();

function sentencesOf(language: Language) {
  const sentences = known.get(language) ?? readSentences(language);
  known.set(language, sentences);
  return sentences;
}

/** What a language calls itself, such as "Deutsch". */
export const nameOf = (language: Language): string => translator(language)("language.name");

/** Looks sentences up, in the plural form that goes with a number; nothing is filled in yet. */
function readSentences(language: Language) {
  instance.addResourceBundle(language, NAMESPACE, catalogs.get(language));
  const t = instance.getFixedT(language);
  const plurals = new Intl.PluralRules(localeOf(language));
  const sentences = new Map<string, string>();
  return (key: string, count: unknown): string => {
    const name = typeof count === "number" ? `${key}_${plurals.select(count)}` : key;
    // English counts by fewer forms.
    const sentence = sentences.get(name) ??
      t([name, `${key}_other`, key], { skipInterpolation: true });
    sentences.set(name, sentence);
    return sentence;
  };
}

const NAMESPACE = "translation";
const instance: i18n = i18next.createInstance();
await instance.init({
  fallbackLng: "en",
  resources: { en: { [NAMESPACE]: catalogs.get("en")! } },
  lowerCaseLng: true,
  returnNull: false,
});
