/** Query parameters for the task in the overlay of a page, and for its tab. */
export const OVER_TASK = "t";
export const OVER_TAB = "tab";
/** Prefix of parameters that belong to the tab, so that they do not affect the page below. */
export const TAB_PREFIX = "tab_";

/** Returns a page's URL without the parameters of the task in its overlay. */
export function belowTask(url: URL): URL {
  const below = new URL(url);
  for (const name of [...below.searchParams.keys()]) {
    const isTasks = name === OVER_TASK || name === OVER_TAB || name === "line";
    if (isTasks || name.startsWith(TAB_PREFIX)) below.searchParams.delete(name);
  }
  return below;
}
