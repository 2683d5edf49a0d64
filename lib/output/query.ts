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

/** Whether there is something to search for. */
export const isAsked = ({ text }: LogQuery): boolean => text.trim() !== "";

/** Returns the search as parameters of an address. */
export function queryParams({ text, isRegex, isExact }: LogQuery): Record<string, string> {
  return { q: text, ...(isRegex && { regex: "true" }), ...(isExact && { case: "true" }) };
}
