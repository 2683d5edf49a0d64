import type { Context } from "fresh";
import type { UserActor } from "../../access/actor.ts";
import { type NamePerson, plainName } from "../../base/person.ts";
import { getCookies } from "../../http/cookies.ts";
import { catalogs } from "../../i18n/catalogs.ts";
import { negotiated, regionalLocale } from "../../i18n/negotiate.ts";
import { translator } from "../../i18n/translate.ts";
import { knownTimeZone } from "../../i18n/time_zone.ts";
import { ZONE_COOKIE } from "../other_page.ts";
import { hasFlash } from "./flash.ts";
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
  person?: NamePerson;
}

/**
 * Language and time zone come from the account, or else from the menu and the browser, stored in
 * cookies (`zoneScript`). Existing API clients compare sentences, so the API ignores the account's
 * language and cookies set by pages. Its `?lang=` is for event streams, because browsers cannot
 * send headers with them.
 */
export function requestUi(
  { headers, url }: Request,
  { basePath, wishes, isApi, person }: Asked,
): Ui {
  const { lang = "", theme = "", [ZONE_COOKIE]: zone = "" } = getCookies(headers);
  const chosen = [wishes?.language ?? "", lang].find((id) => catalogs.has(id));
  const asked = isApi && URL.parse(url)?.searchParams.get("lang") || headers.get("accept-language");
  const language = !isApi && chosen || negotiated(asked ?? "", catalogs.keys());
  const timeZone = knownTimeZone(wishes?.timezone || zone) ?? undefined;
  const locale = regionalLocale(headers.get("accept-language") ?? "", language);
  const t = translator(language, { timeZone, locale, person });
  return createUi({ language, locale, theme: themeOf(theme), basePath, timeZone, t, person });
}

/** Adds `ui` to a request. It is created on first use, because most API calls do not need it. */
export function offerUi(ctx: Pick<Context<State>, "req" | "url" | "config" | "state">): void {
  const { req, config: { basePath }, state } = ctx;
  let ui: Ui | undefined;
  const person: NamePerson = (one) => (state.namePerson ?? plainName)(one);
  const make = () => requestUi(req, { basePath, wishes: state.actor, isApi: isApi(ctx), person });
  Object.defineProperty(state, "ui", { get: () => ui ??= make() });
}

/** Expression of the browser's time zone, as a cookie has it. */
const ZONE = "encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)";

/**
 * Returns a script that stores the browser's time zone in a cookie, so that the server can show
 * times in it from the next page on. With `shown`, the zones in which the page may show its times,
 * it loads the page again before anything is visible if the browser's zone is another one. That
 * happens at a first visit and after a journey, and only if the browser has stored the cookie.
 */
export function zoneScript(basePath: string, shown: string[] | null): string {
  const store = `document.cookie="${ZONE_COOKIE}="+${ZONE}+` +
    JSON.stringify(`;path=${basePath || "/"};max-age=31536000;samesite=lax`) +
    `+(location.protocol==="https:"?";secure":"")`;
  if (!shown) return store;
  const isShown = `${JSON.stringify(shown.map(encodeURIComponent))}.includes(${ZONE})`;
  const isStored = `document.cookie.includes("${ZONE_COOKIE}="+${ZONE})`;
  return `${store};${isShown}||${isStored}&&location.reload()`;
}

/**
 * Returns the zones in which a page shows its times, for `zoneScript`: that of its texts, and that
 * of the cookie, of which the server may know another name or none. Returns null if the page must
 * not be loaded again, or shows times in the zone of the account or none at all.
 */
export function shownZones(
  { req, state: { actor, ui } }: Pick<Context<State>, "req" | "state">,
): string[] | null {
  const isSafe = req.method === "GET" && !hasFlash(req.headers);
  if (!isSafe || !actor || actor.timezone) return null;
  return [ui.timeZone, getCookies(req.headers)[ZONE_COOKIE] ?? ""];
}

const themeOf = (text: string): Theme => text === "dark" || text === "light" ? text : "system";
