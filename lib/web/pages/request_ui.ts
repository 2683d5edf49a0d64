import { parseAccept } from "hono/utils/accept";
import { getCookies } from "../../base/cookies.ts";
import type { Language } from "../../i18n/languages.ts";
import { OFFERED_LANGUAGES, translator } from "../../i18n/translate.ts";
import { knownTimeZone } from "../../i18n/time_zone.ts";
import { createUi, type Theme, type Ui } from "../../i18n/ui.ts";

/** What an account says of how it wants to be spoken to. */
type Wishes = { timezone?: string } | null;

/**
 * The language and theme of the menu (cookies), else what the browser asks for. Times are told in
 * the zone of the account, else in the browser's, which its pages keep in a cookie (`tellZone`).
 */
export function requestUi(req: Request, basePath: string, wishes: Wishes = null): Ui {
  const { lang = "", theme = "", zone = "" } = getCookies(req.headers);
  const language = OFFERED_LANGUAGES.find((id) => id === lang) ??
    preferredLanguage(req.headers.get("accept-language") ?? "", OFFERED_LANGUAGES);
  const timeZone = knownTimeZone(wishes?.timezone || zone) ?? undefined;
  const t = translator(language);
  return createUi({ language, theme: themeOf(theme), basePath, timeZone, t });
}

/** Gives a request its `ui`, made when it is first asked for: most calls of the API never do. */
export function offerUi(state: { ui: Ui; actor: Wishes }, req: Request, basePath: string): void {
  let ui: Ui | undefined;
  Object.defineProperty(state, "ui", { get: () => ui ??= requestUi(req, basePath, state.actor) });
}

/**
 * A script that keeps the browser's time zone in a cookie, so that the server can tell times in it
 * from the next page on; the sign-in page is one before all others.
 */
export const tellZone = (basePath: string): string =>
  `document.cookie="zone="+encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)+` +
  JSON.stringify(`;path=${basePath || "/"};max-age=31536000;samesite=lax`) +
  `+(location.protocol==="https:"?";secure":"")`;

/** The first language of an Accept-Language header that is offered; English when there is none. */
export function preferredLanguage(header: string, offered: readonly Language[]): Language {
  const find = (tag: string) => offered.find((id) => id === tag);
  for (const { type, q } of parseAccept(header)) {
    const tag = type.toLowerCase();
    const found = find(CHINESE[tag] ?? tag) ?? find(tag.split("-")[0]);
    if (found && q > 0) return found;
  }
  return "en";
}

/** Browsers name Chinese by script or region; we have one language for each script. */
const CHINESE: Partial<Record<string, Language>> = {
  zh: "zh-cn",
  "zh-hans": "zh-cn",
  "zh-sg": "zh-cn",
  "zh-hant": "zh-tw",
  "zh-hk": "zh-tw",
  "zh-mo": "zh-tw",
};

const themeOf = (text: string): Theme => text === "dark" || text === "light" ? text : "system";
