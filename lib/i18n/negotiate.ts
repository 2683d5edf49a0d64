import { parseAccept } from "hono/utils/accept";
import type { Language } from "./catalogs.ts";
import { localeOf } from "./locale.ts";

/**
 * The first language of an Accept-Language header that is offered; English where there is none, or
 * any will do.
 */
export function negotiated(header: string, offered: Iterable<Language>): Language {
  const languages = new Map([...offered].map((id) => [new Intl.Locale(id).baseName, id]));
  for (const { type, q } of parseAccept(header)) {
    if (q <= 0) continue;
    if (type === "*") break;
    const found = namesOf(type).flatMap((name) => languages.get(name) ?? [])[0];
    if (found) return found;
  }
  return "en";
}

/**
 * The `Intl` tag for dates and numbers. English is written in many ways, so its region comes from
 * the browser: "en-GB" has 24 hours and the day first. Every other language has one way.
 */
export function regionalLocale(header: string, language: Language): string {
  const tag = language === "en" && parseAccept(header).find(({ type }) => /^en-/i.test(type))?.type;
  try {
    return tag ? new Intl.Locale(tag).baseName : localeOf(language);
  } catch {
    return localeOf(language); // not a language tag
  }
}

/** What Chinese of each script is called here: many regions write one of the two. */
const CHINESE = new Map([["Hans", "zh-CN"], ["Hant", "zh-TW"]]);

/** The languages that a tag asks for, best first: as it says, as its region speaks, of any region. */
function namesOf(tag: string): string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { baseName, language, region } = locale;
    return language === "zh"
      ? [CHINESE.get(locale.maximize().script!) ?? language]
      : [baseName, `${language}-${region}`, language];
  } catch {
    return []; // no tag of a language
  }
}
