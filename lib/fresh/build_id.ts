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
