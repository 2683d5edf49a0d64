import { notFound } from "../../base/errors.ts";

/** The id that a page's address names; throws 404 when it is none. */
export function pageId(text: string | undefined): number {
  if (!text || !/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
