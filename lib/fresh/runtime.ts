import type { ComponentChildren } from "preact";

/** What the bundler puts in the place of this name. */
declare const FRESH_BUILD_ID: string | undefined;

/** Tells one build's static files from another's. */
export let BUILD_ID = typeof FRESH_BUILD_ID === "string" ? FRESH_BUILD_ID : "dev";

/** Called once, when a build is loaded. */
export function setBuildId(id: string): void {
  BUILD_ID = id;
}

/** The query parameter of a static file's address that may be cached for a year. */
export const CACHE_KEY = "__frsh_c";

/** Where a page in development hears of the server that made it. */
export const ALIVE_PATH = "/_frsh/alive";

/** True in a browser, false while the server renders. */
export const IS_BROWSER: boolean = typeof document !== "undefined";

/** The address of a static file, a path from the root, that may be cached for a year. */
export const asset = (path: string): string => `${path}?${CACHE_KEY}=${BUILD_ID}`;

/** The server's renderer moves its children into the document's `<head>`. */
export function Head(_props: { children?: ComponentChildren }): null {
  return null;
}
