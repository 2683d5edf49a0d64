import type { ComponentChildren } from "preact";

/** Defined by the bundler. */
declare const FRESH_BUILD_ID: string | undefined;

/** Distinguishes the static files of one build from those of another. */
export let BUILD_ID = typeof FRESH_BUILD_ID === "string" ? FRESH_BUILD_ID : "dev";

/** Called once when a build is loaded. */
export function setBuildId(id: string): void {
  BUILD_ID = id;
}

/** Query parameter in the URL of a static file that may be cached for a year. */
export const CACHE_KEY = "__frsh_c";

/** In development, pages connect to this path to detect a restart of the server. */
export const ALIVE_PATH = "/_frsh/alive";

/** True in a browser, false while the server renders. */
export const IS_BROWSER: boolean = typeof document !== "undefined";

/**
 * Returns the URL of a static file, given as a path from the root, that may be cached for a year.
 */
export const asset = (path: string): string => `${path}?${CACHE_KEY}=${BUILD_ID}`;

/** Placeholder whose children the server's renderer moves into the document's `<head>`. */
export function Head(_props: { children?: ComponentChildren }): null {
  return null;
}
