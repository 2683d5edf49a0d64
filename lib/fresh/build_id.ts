/** Tells one build's static files from another's; the browser bundle holds it as a constant. */
export let BUILD_ID = "dev";

/** Called once, when a build is loaded. */
export function setBuildId(id: string): void {
  BUILD_ID = id;
}

/** The query parameter of a static file's address that may be cached for a year. */
export const CACHE_KEY = "__frsh_c";
