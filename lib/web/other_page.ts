import { getCookies } from "../http/cookies.ts";

/** Cookie with the time zone of the browser. A script sets it on each page: see `zoneScript`. */
export const ZONE_COOKIE = "zone";

/**
 * Another form of a page, for browsers that run scripts or for those that do not. The browser goes
 * there immediately, before it shows anything.
 */
export interface OtherPage {
  runsScripts: boolean;
  /** Complete address. */
  href: string;
}

/** Whether scripts have run in this browser. */
export const hasRunScripts = (headers: Headers): boolean => ZONE_COOKIE in getCookies(headers);

/** Query parameter that asks for the form of a page without scripts. */
const SCRIPTLESS = "scriptless";

export const asksScriptless = ({ searchParams }: URL): boolean => searchParams.has(SCRIPTLESS);

/** Returns the form of the page at `url` for browsers that run scripts, or for others. */
export function otherPage(url: URL, runsScripts: boolean): OtherPage {
  const { pathname, searchParams } = new URL(url);
  if (runsScripts) searchParams.delete(SCRIPTLESS);
  else searchParams.set(SCRIPTLESS, "true");
  return { runsScripts, href: pathname + (searchParams.size > 0 ? `?${searchParams}` : "") };
}

/**
 * Returns the script that leads to a page for browsers that run scripts. Without its cookie the
 * server would send the same page again.
 */
export const leaveTo = ({ href }: OtherPage): string =>
  `if(/(^|; )${ZONE_COOKIE}=/.test(document.cookie)){history.replaceState(null,"",` +
  `${JSON.stringify(href).replaceAll("<", "\\u003c")}+location.hash);location.reload()}`;
