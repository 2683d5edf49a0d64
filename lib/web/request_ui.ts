import { getCookies } from "../base/cookies.ts";
import { preferredLanguage } from "../i18n/languages.ts";
import { OFFERED_LANGUAGES, translator } from "../i18n/translate.ts";
import { createUi, type Theme, type Ui } from "../i18n/ui.ts";

/** The language and theme of the menu (cookies), else what the browser asks for. */
export function requestUi(req: Request, basePath: string): Ui {
  const { lang = "", theme = "" } = getCookies(req.headers);
  const language = OFFERED_LANGUAGES.find((id) => id === lang) ??
    preferredLanguage(req.headers.get("accept-language"), OFFERED_LANGUAGES);
  return createUi({ language, theme: themeOf(theme), basePath, t: translator(language) });
}

const themeOf = (text: string): Theme => text === "dark" || text === "light" ? text : "system";
