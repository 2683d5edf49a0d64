import { parseAccept } from "hono/utils/accept";
import type { Language } from "./catalogs.ts";
import { baseNameOf, localeOf } from "./locale.ts";

/**
 * Returns the first offered language of an Accept-Language header. Returns English if there is
 * none, or if any will do.
 */
export function negotiated(header: string, offered: Iterable<Language>): Language {
  const languages = new Map([...offered].map((id) => [baseNameOf(id), id]));
  for (const { type, q } of parseAccept(header)) {
    if (q <= 0) continue;
    if (type === "*") break;
    const found = namesOf(type).flatMap((name) => languages.get(name) ?? [])[0];
    if (found) return found;
  }
  return "en";
}

/**
 * Returns the `Intl` tag for dates and numbers. English has regional variants, so its region comes
 * from the browser: "en-GB" has 24 hours and the day first. Every other language has one variant.
 */
export function regionalLocale(header: string, language: Language): string {
  const tag = language === "en" && parseAccept(header).find(({ type }) => /^en-/i.test(type))?.type;
  try {
    return tag ? new Intl.Locale(tag).baseName : localeOf(language);
  } catch {
    return localeOf(language); // The header has an invalid language tag.
  }
}

/** Languages for the two Chinese scripts. Each script is used in several regions. */
const CHINESE = new Map([["Hans", "zh-CN"], ["Hant", "zh-TW"]]);

/**
 * Returns the languages that a tag stands for, best first: the tag, language and region, language.
 */
function namesOf(tag: string): string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { baseName, language, region } = locale;
    return language === "zh"
      ? [CHINESE.get(locale.maximize().script!) ?? language]
      : [baseName, `${language}-${region}`, language];
  } catch {
    return []; // The tag is invalid.
  }
}
