import type { ComponentChildren } from "preact";
import { BUILD_ID, CACHE_KEY } from "./build_id.ts";

/** True in a browser, false while the server renders. */
export const IS_BROWSER: boolean = typeof document !== "undefined";

/** The address of a static file that may be cached for a year. */
export function asset(path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const url = new URL(path, "http://asset");
  if (url.host !== "asset" || url.searchParams.has(CACHE_KEY)) return path;
  url.searchParams.set(CACHE_KEY, BUILD_ID);
  return url.pathname + url.search + url.hash;
}

export interface HeadProps {
  children?: ComponentChildren;
}

/** The server's renderer moves its children into the document's `<head>`. */
export function Head(_props: HeadProps): null {
  return null;
}
