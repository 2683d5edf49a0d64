import type { RE2JS } from "re2js";
import { invalidField } from "../base/errors.ts";
import type { Pause } from "../base/time/pause.ts";
import { plainText, withoutColours } from "./ansi.ts";
import type { LogQuery } from "./query.ts";

/** Returns the positions of matching lines, counted from 0. The lines are separated by newlines. */
export type LineFinder = (lines: string, pause: Pause) => Promise<number[]>;

/**
 * Maximum number of instructions of a regular expression. In the worst case a line takes time
 * proportional to its length times this number, which is some 200 ms for the longest line.
 */
const PROGRAM_MAX = 250;

/** Returns the finder of a query. Throws 400 if `field` is not a valid regular expression. */
export const lineFinder = (query: LogQuery, field: string): Promise<LineFinder> =>
  query.isRegex ? regexFinder(query, field) : Promise.resolve(textFinder(query));

/** Searches all lines as one text, because few lines match in most logs. */
function textFinder({ text, isExact }: LogQuery): LineFinder {
  const folded = (some: string) => isExact ? some : some.toLowerCase();
  // Invisible characters are shown, and therefore found, as escapes. This has to look at each
  // character.
  const shown = text.includes("\\")
    ? (lines: string) => lines.split("\n").map(plainText).join("\n")
    : withoutColours;
  const wanted = folded(text);
  return (lines) => Promise.resolve(linesWith(wanted, folded(shown(lines))));
}

function linesWith(wanted: string, lines: string): number[] {
  const found: number[] = [];
  let line = 0;
  let lineEnd = lines.indexOf("\n");
  for (let at = lines.indexOf(wanted); at >= 0; at = lines.indexOf(wanted, lineEnd)) {
    for (; lineEnd >= 0 && lineEnd < at; line++) lineEnd = lines.indexOf("\n", lineEnd + 1);
    found.push(line);
    if (lineEnd < 0) break;
  }
  return found;
}

/** Searches with RE2, whose time grows linearly with the lines for every expression. */
async function regexFinder(query: LogQuery, field: string): Promise<LineFinder> {
  const expression = await expressionOf(query, field);
  return async (lines, pause) => {
    const found: number[] = [];
    for (const [n, line] of withoutColours(lines).split("\n").entries()) {
      if (pause.isDue()) await pause.take();
      if (expression.test(line)) found.push(n);
    }
    return found;
  };
}

/** Returns the query's regular expression. Throws 400 if `field` is not a valid one. */
export async function expressionOf({ text, isExact }: LogQuery, field: string): Promise<RE2JS> {
  const { RE2JS, RE2JSException } = await import("re2js");
  try {
    const expression = RE2JS.compile(text, isExact ? 0 : RE2JS.CASE_INSENSITIVE);
    if (expression.programSize() <= PROGRAM_MAX) return expression;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidField(field, "errors.log_search.regex", { message: error.message });
  }
  throw invalidField(field, "errors.log_search.too_big");
}
