import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { lineFinder } from "../output/finder.ts";
import { createHighlighter } from "../output/highlighter.ts";
import type { HighlightedRecord } from "../output/highlights.ts";
import { isAsked, type LogQuery } from "../output/query.ts";
import { scanLog, type Scanned } from "../output/scan.ts";
import { createTurnQueue } from "../store/limiters/turns.ts";

/** Maximum number of lines in one response. */
const LINES_MAX = 1_000;
/**
 * Time limit of one response. It is enough for a million lines, and short enough for other
 * searches.
 */
const ANSWER_MS = 250;

/** Matching lines after a line of a task's output. */
export interface FoundLines {
  /** The first of these lines. */
  records: HighlightedRecord[];
  /** All matches up to this line are listed. Continue the search after it to find others. */
  searched: number;
  /** Number of matches up to line `counted`, listed or not. */
  found: number;
  counted: number;
  /** Whether there may be further matches after line `searched`. */
  hasNext: boolean;
}

interface SearchOptions {
  after?: number;
  limit?: number;
  /** Aborted when the client has left. */
  gone: AbortSignal;
}

/**
 * Searches a task's output for a quarter of a second at most, once it has its turn. Throws 400 for
 * an invalid regular expression, with `search` as the field, and 429 if the account or the server
 * has too many searches in progress.
 */
export async function searchTaskLog(
  scope: ProjectScope<"read_output">,
  id: number,
  query: LogQuery,
  { after = 0, limit = LINES_MAX, gone }: SearchOptions,
): Promise<FoundLines> {
  const { deps: { kv }, actor } = scope;
  const task = await getSeenTask(scope, id);
  const max = Math.min(limit, LINES_MAX);
  const result: FoundLines = {
    records: [],
    searched: after,
    found: 0,
    counted: after,
    hasNext: false,
  };
  if (!isAsked(query)) return result;
  const find = await lineFinder(query, "search");
  const highlight = await createHighlighter(query);
  using turns = searchTurns.join(kv, actor.id, gone);
  await turns.next();
  const until = performance.now() + ANSWER_MS;
  for await (const part of scanLog(kv, task.id, after, find, turns)) {
    add(result, part, max);
    result.hasNext = performance.now() > until;
    if (result.hasNext) break;
  }
  const hasNext = result.hasNext || result.searched < result.counted;
  return { ...result, records: await highlight(result.records), hasNext };
}

function add(result: FoundLines, part: Scanned, max: number): void {
  const isWhole = result.searched === result.counted;
  result.found += part.lines.length;
  result.counted = part.searched;
  if (!isWhole) return;
  const records = part.records(max - result.records.length);
  result.records.push(...records);
  result.searched = records.length === part.lines.length
    ? part.searched
    : records.at(-1)?.id ?? result.searched;
}

/** Time limit of a page without script, which then has a link to continue. */
const PAGE_MS = 10_000;

/** Yields the lines that a page without script shows, and how far the search has come. */
export async function* matchingLines(
  { deps: { kv }, actor }: ProjectScope<"read_output">,
  taskId: number,
  query: LogQuery,
  after: number,
  gone: AbortSignal,
): AsyncGenerator<{ records: HighlightedRecord[]; to: number }> {
  const find = await lineFinder(query, "q");
  const highlight = await createHighlighter(query);
  using turns = searchTurns.join(kv, actor.id, gone);
  await turns.next();
  const until = performance.now() + PAGE_MS;
  let left = LINES_MAX;
  for await (const part of scanLog(kv, taskId, after, find, turns)) {
    const records = await highlight(part.records(left));
    left -= records.length;
    turns.rest();
    if (records.length < part.lines.length) {
      if (records.length > 0) yield { records, to: records.at(-1)!.id };
      return;
    }
    yield { records, to: part.searched };
    if (performance.now() > until) return;
  }
}

/**
 * Queue of all searches in outputs, of which two compute at a time. A turn is enough for a million
 * lines with most expressions, and for an API response with any.
 */
export const searchTurns = createTurnQueue({
  name: "searches",
  parallelMax: 2,
  turnMs: 250,
  max: 100,
  accountMax: 4,
  full: "errors.log_search.busy",
  accountFull: "errors.log_search.at_once",
});
