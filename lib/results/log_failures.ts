import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { bannerOf, showsFailure } from "../output/banners.ts";
import type { LogSections } from "../output/matches.ts";
import type { LogSection } from "../output/outline.ts";
import { readSections } from "../output/sections.ts";
import { readLog, takeLines } from "../output/store.ts";
import { previewOf } from "../output/run_id.ts";
import { findPositions } from "./find_results.ts";
import { findHead, listPlayTasks, readCells } from "./result_store.ts";
import type { ResultHead } from "./rows.ts";
import { FAILURES, hasFailures } from "./statuses.ts";
import type { Store } from "../store/store.ts";

/** Maximum number of counted failures. */
const FAILURES_MAX = 2_000;
/** Maximum number of lines of a failure in which the one that reports it is searched. */
const LOOKED_AT_MAX = 200;

/** Consecutive lines. */
interface Range {
  line: number;
  last_line: number;
  /** Where the line that reports the failure is searched, if it may come after the last line. */
  until?: number;
}

/**
 * Returns the plays and Ansible tasks of a task's output as its lines announce them, after the
 * first `skip`. Their failures come from the results, because lines also report failures that were
 * ignored or rescued. Lines count only where no result was received.
 */
export async function listSections(
  scope: ProjectScope,
  id: number,
  skip = 0,
  limit?: number,
): Promise<LogSections> {
  const { kv } = scope.deps;
  const task = await getSeenTask(scope, id);
  const { sections, next, firstFailure } = await readSections(kv, task.id, { skip, limit });
  const answer = { sections, has_next: next !== null, first_failure: firstFailure || null };
  const runs = await Promise.all([task.id, previewOf(task.id)].map(async (run) => {
    const head = await findHead(kv, run);
    return head && { run, head };
  }));
  const known = runs.filter((run) => run !== null);
  const isAffected = firstFailure > 0 || known.some(({ head }) => hasFailures(head));
  if (known.length === 0 || !isAffected) return answer;
  const parts = await Promise.all(known.map(({ run, head }) => readRun(kv, run, head)));
  const tasks = parts.flatMap((part) => part.tasks);
  const failures = parts.flatMap((part) => part.failures).toSorted((a, b) => a.line - b.line);
  const [first] = failures;
  const isComplete = known.every(({ head }) => head.complete);
  const [begin, end] = [sections.at(0)?.line ?? Infinity, next?.line ?? Infinity];
  const isShown = ({ line, last_line }: Range) => begin <= last_line && line < end;
  const shown = { tasks: tasks.filter(isShown), failures: failures.filter(isShown) };
  return {
    ...answer,
    sections: sections.map((section, n) => counted(section, sections[n + 1]?.line ?? end, shown)),
    first_failure: first
      ? await lineOf(kv, task.id, first)
      : inWords(firstFailure, tasks, isComplete),
  };
}

/**
 * Returns the lines of the Ansible tasks, and the lines of their failures. Those of a failure that
 * is stored without lines are those of its Ansible task.
 */
async function readRun(kv: Store, run: number, head: ResultHead) {
  const rows = await listPlayTasks(kv, run);
  const tasks = rows.flatMap(rangeOf);
  if (!hasFailures(head)) return { tasks, failures: [] };
  const positions = await findPositions(kv, run, { statuses: FAILURES, limit: FAILURES_MAX });
  const cells = await readCells(kv, run, positions);
  const failures = cells.flatMap(({ task, cell }) =>
    cell.line === null ? rangeOf(rows[task - 1]).map(unplaced) : rangeOf(cell)
  );
  return { tasks, failures };
}

/** Returns the range of an Ansible task with its output, of which only the beginning is known. */
const unplaced = ({ line, last_line }: Range): Range => ({
  line,
  last_line,
  until: line + LOOKED_AT_MAX,
});

const rangeOf = (
  { line, last_line }: { line: number | null; last_line: number | null },
): Range[] => line === null ? [] : [{ line, last_line: last_line ?? line }];

/** Returns the section with its failures. It ends before line `end`. */
function counted(
  section: LogSection,
  end: number,
  { tasks, failures }: { tasks: Range[]; failures: Range[] },
): LogSection {
  const isIn = ({ last_line }: Range) => section.line <= last_line && last_line < end;
  const failed = failures.filter(isIn).length;
  if (failed > 0) return { ...section, failed };
  const isKnown = tasks.some(({ line, last_line }) => line < end && section.line <= last_line);
  return isKnown ? { ...section, failed: 0 } : section;
}

/**
 * Returns the first line of a failure that reports it. Warnings may come before. The announcement
 * of the next Ansible task ends the search.
 */
export async function lineOf(
  kv: Store,
  taskId: number,
  { line, last_line, until = last_line }: Range,
): Promise<number> {
  const count = Math.min(until - line + 1, LOOKED_AT_MAX);
  for await (const records of takeLines(readLog(kv, taskId, line - 1), count)) {
    const showing = records.find(({ id, output }) =>
      showsFailure(output) || (id > line && bannerOf(output) !== null)
    );
    if (showing) return showsFailure(showing.output) ? showing.id : line;
  }
  return line;
}

/** Returns the line of a failure without a result, such as that of a play that cannot continue. */
function inWords(line: number, tasks: Range[], isComplete: boolean): number | null {
  const isOfResult = tasks.some((task) => task.line <= line && line <= task.last_line);
  return line === 0 || isComplete || isOfResult ? null : line;
}
