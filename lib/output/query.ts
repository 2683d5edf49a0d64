import { z } from "zod";

/** Maximum number of characters of a search text. */
export const SEARCH_LENGTH_MAX = 200;

/** A search in lines of output. */
export interface LogQuery {
  /** The search text. Nothing is found if it is empty or blank. */
  text: string;
  /** Whether the text is a regular expression. */
  isRegex: boolean;
  /** Whether upper and lower case differ. */
  isExact: boolean;
}

/** Search text in an address. It has no line ends, because lines have none. */
export const searchText = z.string()
  .max(SEARCH_LENGTH_MAX, "errors.too_long")
  .regex(/^[^\r\n]*$/, "errors.log_search.one_line");

/** An option in an address, chosen by "true", "on" or "1". */
export const searchChoice = z.string().optional()
  .transform((text) => text !== undefined && /^(?:true|on|1)$/i.test(text));

/** Returns the search in the address of a page; an empty one if it is not valid. */
export function queryOf({ searchParams }: URL): LogQuery {
  const text = searchText.safeParse(searchParams.get("q") ?? "");
  const isChosen = (name: string) => searchChoice.parse(searchParams.get(name) ?? undefined);
  return { text: text.data ?? "", isRegex: isChosen("regex"), isExact: isChosen("case") };
}

/** Whether there is something to search for. */
export const isAsked = ({ text }: LogQuery): boolean => text.trim() !== "";

/** Returns the search as parameters of an address. */
export function queryParams({ text, isRegex, isExact }: LogQuery): Record<string, string> {
  return { q: text, ...(isRegex && { regex: "true" }), ...(isExact && { case: "true" }) };
}
