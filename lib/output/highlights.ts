import { ansiSpans } from "./ansi.ts";
import type { LogRecord } from "./chunk.ts";

/**
 * Highlight in a line as it is shown without colors, from one character up to but excluding
 * another.
 */
export type Highlight = [from: number, to: number];

/** A line, with its highlights if it was found. */
export type HighlightedRecord = LogRecord & { marks?: Highlight[] };

interface HighlightedSpan {
  text: string;
  className: string;
  isHighlighted: boolean;
}

/**
 * Returns the spans of a line with ANSI colors, split at the bounds of the highlights, which are
 * sorted.
 */
export function highlightedSpans(line: string, marks: Highlight[] = []): HighlightedSpan[] {
  const spans: HighlightedSpan[] = [];
  let [at, next] = [0, 0];
  for (const { text, className } of ansiSpans(line)) {
    const end = at + text.length;
    for (let from = at; from < end;) {
      while (next < marks.length && marks[next][1] <= from) next++;
      const [begins, ends] = marks[next] ?? [end, end];
      const isHighlighted = begins <= from;
      const to = Math.min(end, isHighlighted ? ends : begins);
      spans.push({ text: text.slice(from - at, to - at), className, isHighlighted });
      from = to;
    }
    at = end;
  }
  return spans;
}

/** Maximum number of characters in an excerpt, and in its part before the first highlight. */
const EXCERPT_MAX = 300;
const LEAD_MAX = 40;

/** Returns an excerpt of a line: the part around its first highlight, or else its beginning. */
export function excerptOf(spans: HighlightedSpan[]): HighlightedSpan[] {
  const first = spans.findIndex(({ isHighlighted }) => isHighlighted);
  const lead = lengthOf(spans.slice(0, Math.max(0, first)));
  const from = lead > LEAD_MAX ? lead - LEAD_MAX : 0;
  const cut = between(spans, from, from + EXCERPT_MAX);
  return from === 0 ? cut : [{ text: "…", className: "", isHighlighted: false }, ...cut];
}

const lengthOf = (spans: HighlightedSpan[]): number =>
  spans.reduce((sum, { text }) => sum + text.length, 0);

function between(spans: HighlightedSpan[], from: number, to: number): HighlightedSpan[] {
  let end = 0;
  return spans.map((span) => {
    const begin = end;
    end += span.text.length;
    return { ...span, text: span.text.slice(Math.max(0, from - begin), Math.max(0, to - begin)) };
  }).filter(({ text }) => text !== "");
}
