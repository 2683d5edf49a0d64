import { notFound } from "../../base/errors.ts";

/** Returns the id in a page's path. Throws 404 if it is not an id. */
export function pageId(text: string | undefined): number {
  if (!text || !/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
