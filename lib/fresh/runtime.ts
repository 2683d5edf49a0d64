import { type ComponentChildren, createContext, h } from "preact";
import { BUILD_ID, CACHE_KEY } from "./build_id.ts";

export { HttpError } from "./error.ts";

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

/** Applies `asset` to each address of a `srcset` attribute. */
export function assetSrcSet(srcset: string): string {
  const parts = srcset.split(",");
  const isSimple = !srcset.includes("(") && parts.every((part) => part.trim() !== "");
  if (!isSimple) return srcset;
  return parts.map((part) => part.replace(/\S+/, asset)).join(",");
}

/** Says to the elements below it whether they belong into the document's head. */
export const HeadContext = createContext(false);

export interface HeadProps {
  children?: ComponentChildren;
}

/** Moves its children into the document's `<head>`, on the server: a browser finds them there. */
export function Head(props: HeadProps): ComponentChildren {
  if (IS_BROWSER) return null;
  return h(HeadContext.Provider, { value: true }, props.children);
}
