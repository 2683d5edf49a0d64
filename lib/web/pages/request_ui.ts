import type { Context } from "fresh";
import type { UserActor } from "../../access/actor.ts";
import { getCookies } from "../../base/cookies.ts";
import { catalogs } from "../../i18n/catalogs.ts";
import { negotiated, regionalLocale } from "../../i18n/negotiate.ts";
import { translator } from "../../i18n/translate.ts";
import { knownTimeZone } from "../../i18n/time_zone.ts";
import { isApi } from "../translate_errors.ts";
import type { State } from "../state.ts";
import { createUi, type Theme, type Ui } from "../../i18n/ui.ts";

/** Language and time zone of an account. */
type Wishes = Pick<UserActor, "language" | "timezone"> | null;

interface Asked {
  basePath: string;
  wishes?: Wishes;
  /**
   * Whether it is a client of the API. It gets English unless it requests another language itself.
   */
  isApi?: boolean;
}

/**
 * Language and time zone come from the account, or else from the menu and the browser, stored in
 * cookies (`tellZone`). Existing API clients compare sentences, so the API ignores the account's
 * language and cookies set by pages. Its `?lang=` is for event streams, because browsers cannot
 * send headers with them.
 */
export function requestUi({ headers, url }: Request, { basePath, wishes, isApi }: Asked): Ui {
  const { lang = "", theme = "", zone = "" } = getCookies(headers);
  const chosen = [wishes?.language ?? "", lang].find((id) => catalogs.has(id));
  const asked = isApi && URL.parse(url)?.searchParams.get("lang") || headers.get("accept-language");
  const language = !isApi && chosen || negotiated(asked ?? "", catalogs.keys());
  const timeZone = knownTimeZone(wishes?.timezone || zone) ?? undefined;
  const locale = regionalLocale(headers.get("accept-language") ?? "", language);
  const t = translator(language, { timeZone, locale });
  return createUi({ language, locale, theme: themeOf(theme), basePath, timeZone, t });
}

/** Adds `ui` to a request. It is created on first use, because most API calls do not need it. */
export function offerUi(ctx: Pick<Context<State>, "req" | "url" | "config" | "state">): void {
  const { req, config: { basePath }, state } = ctx;
  let ui: Ui | undefined;
  const make = () => requestUi(req, { basePath, wishes: state.actor, isApi: isApi(ctx) });
  Object.defineProperty(state, "ui", { get: () => ui ??= make() });
}

/**
 * Returns a script that stores the browser's time zone in a cookie, so that the server can show
 * times in it from the next page on. The sign-in page comes before all others.
 */
export const tellZone = (basePath: string): string =>
  `document.cookie="zone="+encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)+` +
  JSON.stringify(`;path=${basePath || "/"};max-age=31536000;samesite=lax`) +
  `+(location.protocol==="https:"?";secure":"")`;

const themeOf = (text: string): Theme => text === "dark" || text === "light" ? text : "system";
