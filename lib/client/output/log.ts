import { batch, computed, effect, signal } from "@preact/signals-core";
import { rangesOf } from "./folds.ts";
import { createLines, type LoadedRange, type LogStart } from "./lines.ts";
import { createLogOutline } from "./outline.ts";
import { createSearch } from "./search.ts";
import { createViewport } from "./viewport.ts";
import { rememberWrap, wrapsLines } from "./display.ts";

/** Number of lines loaded beyond the rendered rows, because the reader may scroll there soon. */
const AHEAD = 150;

export interface LogProps {
  /** Address of the task in the API. */
  api: string;
  start: LogStart;
  /** The line that the address names; null for the end. */
  line: number | null;
  /** The first failure as far as it is known. */
  failure: number | null;
  /** Address of a line, without the number at its end. */
  lineUrl: string;
}

export type LogStore = ReturnType<typeof createLog>;

/**
 * The state of a log that its parts share. Nothing is loaded until it is opened, so the server
 * renders it, too.
 */
export function createLog({ api, start, line, failure, lineUrl }: LogProps) {
  const first = start.records[0]?.id ?? 1;
  const last = first + start.records.length - 1;
  const lines = createLines(api, start);
  const outline = createLogOutline(api, lines.total, failure);
  const viewport = createViewport(outline.folds, { line, first, last });
  const search = createSearch(`${api}/search`, lines.total, goTo);
  const current = signal(line);
  const wraps = signal(false);
  const isReady = signal(false);

  function goTo(line: number) {
    batch(() => {
      current.value = line;
      outline.reveal(line);
      viewport.goTo(line);
    });
  }

  return {
    lines,
    outline,
    viewport,
    search,
    /** The line that the address names, or the last one that the reader went to. */
    current,
    wraps,
    /** Whether the script runs. Until then, the controls would do nothing. */
    isReady,
    fromEnd: line === null,
    hrefOf: (line: number): string => `${lineUrl}${line}`,
    /** Returns what a line's row shows beside the line, each part of it as a signal. */
    row: (id: number) => ({
      isCurrent: computed(() => current.value === id),
      marks: computed(() => search.hits.value.get(id)),
      section: computed(() => outline.at(id)),
    }),
    goTo,
    goToFailure() {
      const { value: line } = outline.firstFailure;
      if (line !== null) goTo(line);
    },
    /** Makes the address of a line that of the page, so that it can be saved or shared. */
    nameLine(line: number) {
      history.replaceState(history.state, "", `${lineUrl}${line}`);
      current.value = line;
      viewport.follow.value = false;
    },
    wrap(is: boolean) {
      wraps.value = is;
      rememberWrap(is);
    },
    /** Reads what comes and what is missing until the returned function is called. */
    open(): () => void {
      isReady.value = true;
      wraps.value = wrapsLines();
      const ends = [
        lines.open(),
        outline.open(),
        search.open(),
        followPrinting({ lines, outline, viewport }),
        effect(() => lines.want(rangesAround(viewport, outline))),
      ];
      return () => ends.forEach((end) => end());
    },
  };
}

/** Returns the ranges of lines in the rendered rows and in some around them. */
function rangesAround(
  viewport: ReturnType<typeof createViewport>,
  outline: ReturnType<typeof createLogOutline>,
): LoadedRange[] {
  const { first, last } = viewport.rows.value;
  const { rows, lineOf } = outline.folds.value;
  const from = Math.max(1, first - AHEAD);
  const count = Math.max(0, Math.min(rows, last + AHEAD) - from + 1);
  const lines = Array.from({ length: count }, (_, n) => lineOf(from + n));
  const isFolded = (line: number) => {
    const section = outline.at(line);
    return section !== null && outline.isClosed(section);
  };
  return rangesOf(lines.filter((line) => !isFolded(line)));
}

/** Renders all loaded lines while the page is printed, until the returned function is called. */
function followPrinting(
  { lines, outline, viewport }: Pick<LogStore, "lines" | "outline" | "viewport">,
): () => void {
  function begin() {
    let { first, last } = viewport.rows.value;
    const { rows, lineOf } = outline.folds.value;
    while (first > 1 && lines.find(lineOf(first - 1))) first--;
    while (last < rows && lines.find(lineOf(last + 1))) last++;
    viewport.print({ first, last });
  }
  const end = () => viewport.print(null);
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
  };
}
