import type { ProjectScope } from "../access/scope.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { lineFinder } from "../output/finder.ts";
import { lineMarker } from "../output/highlighter.ts";
import type { MarkedRecord } from "../output/highlights.ts";
import { isAsked, type LogQuery } from "../output/query.ts";
import { scanLog, type Scanned } from "../output/scan.ts";
import { getTask } from "../tasks/repository.ts";
import { searchTurns } from "./turns.ts";

/** Lines that one answer tells. */
const LINES_MAX = 1_000;
/** How long one answer is worked on: enough for a million lines, and soon there with any others. */
const ANSWER_MS = 250;

/** Which lines after some line of a task's output match. */
export interface FoundLines {
  /** The first of them. */
  records: MarkedRecord[];
  /** All that match up to this line are told: others are found by searching on after it. */
  searched: number;
  /** How many match up to line `counted`, told or not. */
  found: number;
  counted: number;
  /** Whether there may be others after line `searched`. */
  hasNext: boolean;
}

interface SearchOptions {
  after?: number;
  limit?: number;
  /** When nobody waits for it any more. */
  gone: AbortSignal;
}

/**
 * Searches a task's output; for a quarter of a second at most, once it has its turn. Throws 400 for
 * what is no regular expression, by the name `search`, and 429 where the account or the server has
 * too many searches going on.
 */
export async function searchTaskLog(
  { deps: { kv }, actor, projectId }: ProjectScope,
  id: number,
  query: LogQuery,
  { after = 0, limit = LINES_MAX, gone }: SearchOptions,
): Promise<FoundLines> {
  const task = await getTask(kv, projectId, id);
  const max = Math.min(limit, LINES_MAX);
  const told: FoundLines = {
    records: [],
    searched: after,
    found: 0,
    counted: after,
    hasNext: false,
  };
  if (!isAsked(query)) return told;
  const find = lineFinder(query, "search");
  const mark = lineMarker(query);
  using turns = searchTurns.join(kv, actor.id, gone);
  await turns.next();
  const until = performance.now() + ANSWER_MS;
  for await (const part of scanLog(kv, task.id, after, find, turns)) {
    add(told, part, max);
    told.hasNext = performance.now() > until;
    if (told.hasNext) break;
  }
  const hasNext = told.hasNext || told.searched < told.counted;
  return { ...told, records: await mark(told.records), hasNext };
}

function add(told: FoundLines, part: Scanned, max: number): void {
  const isWhole = told.searched === told.counted;
  told.found += part.lines.length;
  told.counted = part.searched;
  if (!isWhole) return;
  const records = part.records(max - told.records.length);
  told.records.push(...records);
  told.searched = records.length === part.lines.length
    ? part.searched
    : records.at(-1)?.id ?? told.searched;
}

/** Why nothing can be found with a query; null where it can. */
export function problemOf(query: LogQuery): Sentence | null {
  try {
    lineFinder(query, "q");
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { key: error.key, params: error.params };
  }
}

/** Longer than that, a page without script does not search: it has a way to go on. */
const PAGE_MS = 10_000;

/** The lines that a page without script shows, and how far it looked, as they are found. */
export async function* matchingLines(
  { deps: { kv }, actor }: ProjectScope,
  taskId: number,
  query: LogQuery,
  after: number,
  gone: AbortSignal,
): AsyncGenerator<{ records: MarkedRecord[]; to: number }> {
  const find = lineFinder(query, "q");
  const mark = lineMarker(query);
  using turns = searchTurns.join(kv, actor.id, gone);
  await turns.next();
  const until = performance.now() + PAGE_MS;
  let left = LINES_MAX;
  for await (const part of scanLog(kv, taskId, after, find, turns)) {
    const records = await mark(part.records(left));
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
