/** What a build's `server.js` needs. */
export { setBuildCache } from "./app.ts";
export { loadSnapshot } from "./build_cache.ts";
