import { createPause } from "../base/time/pause.ts";
import { visible } from "../i18n/visible.ts";
import { plainText, withoutColours } from "./ansi.ts";
import type { LogRecord } from "./chunk.ts";
import { expressionOf } from "./finder.ts";
import type { Highlight, HighlightedRecord } from "./highlights.ts";
import type { LogQuery } from "./query.ts";

/** Maximum number of highlights in one line. */
const HIGHLIGHTS_MAX = 100;
/** Time limit of one highlighter. Further found lines are returned without highlights. */
const LIMIT_MS = 100;

/** Adds the highlights of a search to found lines. */
export type Highlighter = (records: LogRecord[]) => Promise<HighlightedRecord[]>;

/**
 * Returns a highlighter for one response. Throws 400 if the query is not a valid regular
 * expression.
 */
export async function createHighlighter(query: LogQuery): Promise<Highlighter> {
  const findHighlights = query.isRegex ? await findRegex(query) : findText(query);
  let leftMs = LIMIT_MS;
  return async (records) => {
    const pause = createPause();
    const highlighted: HighlightedRecord[] = [];
    for (const record of records) {
      if (pause.isDue()) await pause.take();
      const since = performance.now();
      const marks = leftMs > 0 ? findHighlights(record.output, since + leftMs) : [];
      leftMs -= performance.now() - since;
      highlighted.push({ ...record, marks });
    }
    return highlighted;
  };
}

/** Returns the highlights of a line that are found until a time. */
type FindHighlights = (output: string, untilMs: number) => Highlight[];

function findText({ text, isExact }: LogQuery): FindHighlights {
  const folded = (some: string) => isExact ? some : some.toLowerCase();
  const wanted = folded(text);
  return (output) => {
    const shown = plainText(output);
    const line = folded(shown);
    const marks: Highlight[] = [];
    // A few letters change their length with their case. Then nothing is highlighted.
    if (line.length !== shown.length) return marks;
    let at = line.indexOf(wanted);
    for (
      ;
      at >= 0 && marks.length < HIGHLIGHTS_MAX;
      at = line.indexOf(wanted, at + wanted.length)
    ) {
      marks.push([at, at + wanted.length]);
    }
    return marks;
  };
}

async function findRegex(query: LogQuery): Promise<FindHighlights> {
  const expression = await expressionOf(query, "q");
  return (output, untilMs) => {
    const line = withoutColours(output);
    // Position in the shown line, which has escapes for invisible characters.
    const isShown = visible(line) === line;
    const shownPosition = (at: number) => isShown ? at : visible(line.slice(0, at)).length;
    const matcher = expression.matcher(line);
    const marks: Highlight[] = [];
    for (let n = 0; n < HIGHLIGHTS_MAX && performance.now() < untilMs && matcher.find(); n++) {
      const [from, to] = [matcher.start(), matcher.end()];
      if (from < to) marks.push([shownPosition(from), shownPosition(to)]);
    }
    return marks;
  };
}
