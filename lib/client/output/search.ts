import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
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
export function createSearch(
  url: string,
  total: ReadonlySignal<number>,
  goTo: (line: number) => void,
) {
  const state = createState();
  const { query, found, problem, position, failures } = state;

  function goToMatch(next: number) {
    position.value = next;
    goTo(found.value.lines[next]);
  }

  /** Loads more matches, and goes to the first of them. */
  async function goOn() {
    const asked = query.value;
    const answer = await ask(url, asked, found.value.searched).catch(() => null);
    if (!answer?.more || answer.more.lines.length === 0 || query.value !== asked) return;
    const before = found.value;
    const lines = [...before.lines, ...answer.more.lines];
    const marks = [...before.marks, ...answer.more.marks];
    found.value = { ...before, lines, marks, searched: answer.more.searched };
    goToMatch(before.lines.length);
  }

  return {
    ...state,
    hits: computed(() => marksByLine(found.value)),
    isEmpty: computed(() => found.value.lines.length === 0),
    look(change: Partial<LogQuery>) {
      batch(() => {
        query.value = { ...query.value, ...change };
        found.value = NOTHING;
        problem.value = "";
        position.value = -1;
        failures.value = 0;
      });
    },
    next() {
      const { lines: { length }, searched, counted } = found.value;
      if (length === 0) return;
      if (position.value + 1 < length) goToMatch(position.value + 1);
      else if (searched < counted) goOn().catch(reportError);
      else goToMatch(0);
    },
    previous() {
      const { length } = found.value.lines;
      if (length > 0) goToMatch(position.value > 0 ? position.value - 1 : length - 1);
    },
    open: () => countMatches(url, total, state),
  };
}

const createState = () => ({
  query: signal(NO_QUERY),
  found: signal(NOTHING),
  /** Error message for an invalid query; otherwise empty. */
  problem: signal(""),
  /** The current match, counted from 0; -1 for none. */
  position: signal(-1),
  /** Number of requests since the last one that was answered. */
  failures: signal(0),
});

/** Counts matches up to line `total` until the returned function is called. */
function countMatches(
  url: string,
  total: ReadonlySignal<number>,
  { query, found, problem, failures }: ReturnType<typeof createState>,
): () => void {
  const isBehind = computed(() =>
    isAsked(query.value) && found.value.counted < total.value && problem.value === ""
  );

  function take(before: LogMatches, answer: Answer | null) {
    if (answer?.problem) problem.value = answer.problem;
    else if (!answer?.more || answer.more.counted <= before.counted) failures.value++;
    else {
      failures.value = 0;
      found.value = counted(before, answer.more);
    }
  }

  return effect(() => {
    if (!isBehind.value) return;
    const [asked, before] = [query.value, found.value];
    const gone = new AbortController();
    const askNow = async () => {
      const answer = await ask(url, asked, before.counted, gone.signal).catch(() => null);
      if (!gone.signal.aborted) batch(() => take(before, answer));
    };
    const delayMs = waitMs(before, total.peek(), failures.value);
    const timer = setTimeout(() => askNow().catch(reportError), delayMs);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  });
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
