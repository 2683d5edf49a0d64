import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { uniqueName } from "./build_cache.ts";

/** Where the bundles are served, below the base path. */
export const BUNDLE_PATH = "/_fresh/js/";

/** The scripts of the framework itself, by the names of their bundles. */
export function clientEntries(isDevelopment: boolean): Record<string, string> {
  const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const client = { client: path("./client.ts") };
  return isDevelopment ? { ...client, reload: path("./reload.ts") } : client;
}

/** Islands' files by the names of their bundles. */
export function islandEntries(paths: string[]): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const path of paths) {
    const name = basename(path).replace(/\.[^.]+$/, "");
    entries[uniqueName(name, new Set(Object.keys(entries)))] = path;
  }
  return entries;
}
