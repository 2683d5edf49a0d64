import * as z from "zod";
import { type LogQuery, SEARCH_LENGTH_MAX } from "./query.ts";

/** Search text in an address. It has no line ends, because lines have none. */
export const searchText = z.string()
  .max(SEARCH_LENGTH_MAX, "errors.too_long")
  .regex(/^[^\r\n]*$/, "errors.log_search.one_line");

/** Returns the search in the address of a page; an empty one if it is not valid. */
export function queryOf({ searchParams }: URL): LogQuery {
  const text = searchText.safeParse(searchParams.get("q") ?? "");
  const isChosen = (name: string) => /^(?:true|on|1)$/i.test(searchParams.get(name) ?? "");
  return { text: text.data ?? "", isRegex: isChosen("regex"), isExact: isChosen("case") };
}
