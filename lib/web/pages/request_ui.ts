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

/** What an account says of how it wants to be spoken to. */
type Wishes = Pick<UserActor, "language" | "timezone"> | null;

interface Asked {
  basePath: string;
  wishes?: Wishes;
  /** A client of the API: it reads English unless it asks for something else itself. */
  isApi?: boolean;
}

/**
 * Language and zone are those of the account, else of the menu and of the browser, which its pages
 * keep in cookies (`tellZone`). Existing clients compare sentences: what an account wishes, and a
 * cookie that was set for pages, is nothing to the API. Its `?lang=` is for event streams, with which
 * browsers can send no header.
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

/** Gives a request its `ui`, made when it is first asked for: most calls of the API never do. */
export function offerUi(ctx: Pick<Context<State>, "req" | "url" | "config" | "state">): void {
  const { req, config: { basePath }, state } = ctx;
  let ui: Ui | undefined;
  const make = () => requestUi(req, { basePath, wishes: state.actor, isApi: isApi(ctx) });
  Object.defineProperty(state, "ui", { get: () => ui ??= make() });
}

/**
 * A script that keeps the browser's time zone in a cookie, so that the server can tell times in it
 * from the next page on; the sign-in page is one before all others.
 */
export const tellZone = (basePath: string): string =>
  `document.cookie="zone="+encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)+` +
  JSON.stringify(`;path=${basePath || "/"};max-age=31536000;samesite=lax`) +
  `+(location.protocol==="https:"?";secure":"")`;

const themeOf = (text: string): Theme => text === "dark" || text === "light" ? text : "system";
