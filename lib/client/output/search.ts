import { useEffect, useMemo, useState } from "preact/hooks";
import type { LogMatches } from "@/lib/output/matches.ts";
import { isAsked, type LogQuery, queryParams } from "@/lib/output/query.ts";

/** Delays after the last typed character, and before new lines of the log are searched. */
const TYPING_MS = 150;
const AGAIN_MS = 1_000;
const RETRY_MS_MAX = 30_000;
const ANSWER_MS = 30_000;

const NO_QUERY: LogQuery = { text: "", isRegex: false, isExact: false };
const NOTHING: LogMatches = { lines: [], marks: [], searched: 0, found: 0, counted: 0 };

/**
 * Finds lines in a task's whole output, on the server at `url`, because the page has only a few of
 * them. It counts matches to the end, and requests their lines as the reader reaches them. In a
 * growing log it continues with the new lines.
 */
export function useLogSearch(url: string, total: number, goTo: (line: number) => void) {
  const [query, setQuery] = useState(NO_QUERY);
  const [found, setFound] = useState(NOTHING);
  const [problem, setProblem] = useState("");
  const [position, setPosition] = useState(-1);
  const [failures, setFailures] = useState(0);
  const hits = useMemo(() => marksByLine(found), [found]);
  const isBehind = isAsked(query) && found.counted < total && problem === "";

  useEffect(() => {
    if (!isBehind) return;
    const gone = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(url, query, found.counted, gone.signal).catch(() => null);
      if (gone.signal.aborted) return;
      if (answer?.problem) return setProblem(answer.problem);
      if (!answer?.more || answer.more.counted <= found.counted) {
        return setFailures((count) => count + 1);
      }
      setFailures(0);
      setFound(counted(found, answer.more));
    }, waitMs(found, total, failures));
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [url, query, isBehind, found, failures]);

  function goToMatch(next: number, lines = found.lines) {
    setPosition(next);
    goTo(lines[next]);
  }

  /** Loads more matches, and goes to the first of them. */
  async function goOn() {
    const answer = await ask(url, query, found.searched).catch(() => null);
    if (!answer?.more || answer.more.lines.length === 0) return;
    const lines = [...found.lines, ...answer.more.lines];
    const marks = [...found.marks, ...answer.more.marks];
    setFound({ ...found, lines, marks, searched: answer.more.searched });
    goToMatch(found.lines.length, lines);
  }

  return {
    query,
    found,
    hits,
    /** Error message for an invalid query; otherwise empty. */
    problem,
    /** The current match, counted from 0; -1 for none. */
    position,
    look(change: Partial<LogQuery>) {
      setQuery({ ...query, ...change });
      setFound(NOTHING);
      setProblem("");
      setPosition(-1);
      setFailures(0);
    },
    next() {
      if (found.lines.length === 0) return;
      if (position + 1 < found.lines.length) goToMatch(position + 1);
      else if (found.searched < found.counted) goOn();
      else goToMatch(0);
    },
    previous() {
      const { length } = found.lines;
      if (length > 0) goToMatch(position > 0 ? position - 1 : length - 1);
    },
  };
}

const marksByLine = ({ lines, marks }: LogMatches) =>
  new Map(lines.map((line, n) => [line, marks[n]]));

/**
 * Returns 0 while it catches up with existing lines, and otherwise a delay for new lines or after a
 * failure.
 */
function waitMs(found: LogMatches, total: number, failures: number): number {
  if (failures > 0) return Math.min(AGAIN_MS * 2 ** failures, RETRY_MS_MAX);
  if (found === NOTHING) return TYPING_MS;
  return total - found.counted > LINES_COMING ? 0 : AGAIN_MS;
}

/**
 * No log grows by more lines in a second, so a larger gap means that the search is not at the end.
 */
const LINES_COMING = 20_000;

/**
 * Combines counts with those of later lines. Keeps the lines only if there is no gap before them.
 */
function counted(before: LogMatches, more: LogMatches): LogMatches {
  const { found, counted } = { found: before.found + more.found, counted: more.counted };
  if (before.searched < before.counted) return { ...before, found, counted };
  const lines = [...before.lines, ...more.lines];
  const marks = [...before.marks, ...more.marks];
  return { lines, marks, searched: more.searched, found, counted };
}

interface Answer {
  more?: LogMatches;
  problem?: string;
}

async function ask(
  url: string,
  query: LogQuery,
  after: number,
  gone?: AbortSignal,
): Promise<Answer> {
  const params = new URLSearchParams({ ...queryParams(query), after: String(after) });
  const answer = await fetch(`${url}?${params}`, {
    signal: gone ?? AbortSignal.timeout(ANSWER_MS),
  });
  if (answer.status === 400) return { problem: (await answer.json()).error };
  if (!answer.ok) throw new Error(`${answer.status}`);
  return { more: await answer.json() };
}
