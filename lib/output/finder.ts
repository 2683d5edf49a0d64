import { RE2JS, RE2JSException } from "re2js";
import { invalidField } from "../base/errors.ts";
import type { Pause } from "../base/pause.ts";
import { plainText, withoutColours } from "./ansi.ts";
import type { LogQuery } from "./query.ts";

/** Finds which of some lines match: their places, from 0. They are given with newlines between. */
export type LineFinder = (lines: string, pause: Pause) => Promise<number[]>;

/**
 * Instructions of a regular expression. A line takes time by its length times these, at worst: with
 * the longest line there is, some 200 ms.
 */
const PROGRAM_MAX = 250;

/** What finds the lines for a query. Throws 400 where `field` holds no regular expression. */
export const lineFinder = (query: LogQuery, field: string): LineFinder =>
  query.isRegex ? regexFinder(query, field) : textFinder(query);

/** Looks through all lines at once: of most logs, few lines match. */
function textFinder({ text, isExact }: LogQuery): LineFinder {
  const folded = (some: string) => isExact ? some : some.toLowerCase();
  // What cannot be seen is shown as an escape, and found by that; it costs a look at each letter.
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

/** As RE2 understands it: its time grows with the lines alone, whatever the expression is. */
function regexFinder(query: LogQuery, field: string): LineFinder {
  const expression = expressionOf(query, field);
  return async (lines, pause) => {
    const found: number[] = [];
    for (const [n, line] of withoutColours(lines).split("\n").entries()) {
      if (pause.isDue()) await pause.take();
      if (expression.test(line)) found.push(n);
    }
    return found;
  };
}

/** The query's regular expression. Throws 400 where `field` holds none. */
export function expressionOf({ text, isExact }: LogQuery, field: string): RE2JS {
  try {
    const expression = RE2JS.compile(text, isExact ? 0 : RE2JS.CASE_INSENSITIVE);
    if (expression.programSize() <= PROGRAM_MAX) return expression;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidField(field, "errors.log_search.regex", { message: error.message });
  }
  throw invalidField(field, "errors.log_search.too_big");
}
