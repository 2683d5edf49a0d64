/** Says in the address of a page which task lies over it; what else is said of that task is beside it. */
export const OVER_TASK = "t";
export const OVER_TAB = "tab";
/** In front of a name that belongs to the tab, so that it is none of the page below. */
export const TAB_PREFIX = "tab_";

/** A page without what its address says of a task that lies over it. */
export function belowTask(url: URL): URL {
  const below = new URL(url);
  for (const name of [...below.searchParams.keys()]) {
    const isTasks = name === OVER_TASK || name === OVER_TAB || name === "line";
    if (isTasks || name.startsWith(TAB_PREFIX)) below.searchParams.delete(name);
  }
  return below;
}
