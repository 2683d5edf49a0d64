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

/** Gives a request its `ui`, made when it is first asked for: most calls of the API never do. */
export function offerUi(state: { ui: Ui }, req: Request, basePath: string): void {
  let ui: Ui | undefined;
  Object.defineProperty(state, "ui", { get: () => ui ??= requestUi(req, basePath) });
}

const themeOf = (text: string): Theme => text === "dark" || text === "light" ? text : "system";
