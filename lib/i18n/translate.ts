import i18next, { type i18n } from "i18next";
import type { Sentence, SentenceParams } from "../base/errors.ts";
import { type NamePerson, PERSON_KEY, personOf, plainName } from "../base/person.ts";
import { catalogs, type Language } from "./catalogs.ts";
import { formatsOf, numberText } from "./formats.ts";
import { localeOf } from "./locale.ts";
import { visible } from "./visible.ts";

export type Translate = (key: string, params?: SentenceParams) => string;

interface Reader {
  timeZone?: string;
  locale?: string;
  person?: NamePerson;
}

/**
 * Returns the sentences of a language, with English for missing ones. Times are in the time zone.
 * Numbers have the unit that their parameter is named after. The locale decides the format of both.
 * People are named by `person`.
 */
export function translator(
  language: Language,
  { timeZone = "UTC", locale = localeOf(language), person = plainName }: Reader = {},
): Translate {
  const sentenceOf = sentencesOf(language);
  const formats = formatsOf(locale, timeZone);
  const textOf = (name: string, value: SentenceParams[string]): string => {
    if (typeof value === "number") return numberText(formats, name, value);
    if (Array.isArray(value)) return formats.list.format(value.map(tell));
    if (typeof value === "object") return tell(value);
    if (TIMES.has(name) && ISO_TIME.test(value)) return formats.dateTime.format(new Date(value));
    // Text from users must not reverse the rest of a sentence.
    return visible(value);
  };
  const tell = ({ key, params }: Sentence) => t(key, params);
  const t: Translate = (key, params) => {
    if (key === PERSON_KEY) return visible(person(personOf(params)));
    const sentence = sentenceOf(key, params?.count);
    if (!params) return sentence;
    return sentence.replace(/\{\{(\w+)\}\}/g, (_, name) => textOf(name, params[name] ?? ""));
  };
  return t;
}

/** Names of parameters that are times. */
const TIMES: ReadonlySet<string> = new Set(["since", "until"]);
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Cached per language, because looking up a key costs more than rendering its table cell. */
const known = new Map<Language, ReturnType<typeof readSentences>>();

function sentencesOf(language: Language) {
  const sentences = known.get(language) ?? readSentences(language);
  known.set(language, sentences);
  return sentences;
}

/**
 * Returns a function that looks up a sentence in the plural form for a count, without filling it
 * in.
 */
function readSentences(language: Language) {
  const catalog = catalogs.get(language)!.read();
  instance.addResourceBundle(language, NAMESPACE, catalog, false, true, { skipCopy: true });
  const t = instance.getFixedT(language);
  const plurals = new Intl.PluralRules(localeOf(language));
  const sentences = new Map<string, string>();
  return (key: string, count: unknown): string => {
    const name = typeof count === "number" ? `${key}_${plurals.select(count)}` : key;
    // Fallback for English sentences, which have fewer plural forms.
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
  resources: { en: { [NAMESPACE]: catalogs.get("en")!.read() } },
  lowerCaseLng: true,
  returnNull: false,
});
