import { z } from "zod";

/** Letters of what is looked for in an output. */
export const SEARCH_LENGTH_MAX = 200;

/** What lines of output are looked through for. */
export interface LogQuery {
  /** Nothing is found where it is empty, or blank. */
  text: string;
  /** Whether the text is a regular expression. */
  isRegex: boolean;
  /** Whether capital letters are others than small ones. */
  isExact: boolean;
}

/** The text that is looked for, as an address says it: lines have no line ends in them. */
export const searchText = z.string()
  .max(SEARCH_LENGTH_MAX, "errors.too_long")
  .regex(/^[^\r\n]*$/, "errors.log_search.one_line");

/** A choice in an address: chosen by "true", "on" or "1". */
export const searchChoice = z.string().optional()
  .transform((text) => text !== undefined && /^(?:true|on|1)$/i.test(text));

/** What the address of a page asks for; of what can be no search, nothing. */
export function queryOf({ searchParams }: URL): LogQuery {
  const text = searchText.safeParse(searchParams.get("q") ?? "");
  const isChosen = (name: string) => searchChoice.parse(searchParams.get(name) ?? undefined);
  return { text: text.data ?? "", isRegex: isChosen("regex"), isExact: isChosen("case") };
}

/** Whether there is something to look for. */
export const isAsked = ({ text }: LogQuery): boolean => text.trim() !== "";

/** The same as part of an address. */
export function queryParams({ text, isRegex, isExact }: LogQuery): Record<string, string> {
  return { q: text, ...(isRegex && { regex: "true" }), ...(isExact && { case: "true" }) };
}
