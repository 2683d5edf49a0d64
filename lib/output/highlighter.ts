import { createPause } from "../base/pause.ts";
import { visible } from "../i18n/visible.ts";
import { plainText, withoutColours } from "./ansi.ts";
import type { LogRecord } from "./chunk.ts";
import { expressionOf } from "./finder.ts";
import type { Mark, MarkedRecord } from "./highlights.ts";
import type { LogQuery } from "./query.ts";

/** Maximum number of highlights in one line. */
const MARKS_MAX = 100;
/** Time limit of one highlighter. Further found lines are returned without highlights. */
const MARKING_MS = 100;

/** Adds the highlights of a search to found lines. */
export type LineMarker = (records: LogRecord[]) => Promise<MarkedRecord[]>;

/**
 * Returns a highlighter for one response. Throws 400 if the query is not a valid regular
 * expression.
 */
export function lineMarker(query: LogQuery): LineMarker {
  const marksOf = query.isRegex ? regexMarks(query) : textMarks(query);
  let leftMs = MARKING_MS;
  return async (records) => {
    const pause = createPause();
    const marked: MarkedRecord[] = [];
    for (const record of records) {
      if (pause.isDue()) await pause.take();
      const since = performance.now();
      const marks = leftMs > 0 ? marksOf(record.output, since + leftMs) : [];
      leftMs -= performance.now() - since;
      marked.push({ ...record, marks });
    }
    return marked;
  };
}

/** Returns the highlights of a line that are found until a time. */
type MarksOf = (output: string, untilMs: number) => Mark[];

function textMarks({ text, isExact }: LogQuery): MarksOf {
  const folded = (some: string) => isExact ? some : some.toLowerCase();
  const wanted = folded(text);
  return (output) => {
    const shown = plainText(output);
    const line = folded(shown);
    const marks: Mark[] = [];
    // A few letters change their length with their case. Then nothing is highlighted.
    if (line.length !== shown.length) return marks;
    let at = line.indexOf(wanted);
    for (; at >= 0 && marks.length < MARKS_MAX; at = line.indexOf(wanted, at + wanted.length)) {
      marks.push([at, at + wanted.length]);
    }
    return marks;
  };
}

function regexMarks(query: LogQuery): MarksOf {
  const expression = expressionOf(query, "q");
  return (output, untilMs) => {
    const line = withoutColours(output);
    // Position in the shown line, which has escapes for invisible characters.
    const isShown = visible(line) === line;
    const placeOf = (at: number) => isShown ? at : visible(line.slice(0, at)).length;
    const matcher = expression.matcher(line);
    const marks: Mark[] = [];
    for (let n = 0; n < MARKS_MAX && performance.now() < untilMs && matcher.find(); n++) {
      const [from, to] = [matcher.start(), matcher.end()];
      if (from < to) marks.push([placeOf(from), placeOf(to)]);
    }
    return marks;
  };
}
