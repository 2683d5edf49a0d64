import type { ProjectScope } from "../access/scope.ts";
import { plainText } from "./ansi.ts";
import type { LogRecord } from "./log_chunk.ts";
import { readLog } from "./log_store.ts";
import { getTask } from "./repository.ts";
import type { LogMatches } from "./log_matches.ts";

/** More matches than one answer tells. */
const MATCHES_MAX = 1_000;

/** Tells which lines hold a text as it is shown, in any case. */
export function lineFilter(wanted: string): (record: LogRecord) => boolean {
  const text = wanted.toLowerCase();
  return ({ output }) => plainText(output).toLowerCase().includes(text);
}

/**
 * The numbers of the lines after line `after` that hold `wanted`; of none where that is empty. What
 * one answer does not tell is found by searching on after `searched`. Ends early when `gone` aborts.
 */
export async function searchTaskLog(
  { deps: { kv }, projectId }: ProjectScope,
  id: number,
  wanted: string,
  after: number,
  gone: AbortSignal,
): Promise<LogMatches> {
  const task = await getTask(kv, projectId, id);
  const lines: number[] = [];
  let searched = after;
  if (wanted === "") return { lines, searched };
  const holds = lineFilter(wanted);
  for await (const records of readLog(kv, task.id, after)) {
    lines.push(...records.filter(holds).map((record) => record.id));
    searched = records.at(-1)!.id;
    if (lines.length >= MATCHES_MAX || gone.aborted) break;
  }
  if (lines.length < MATCHES_MAX) return { lines, searched };
  const told = lines.slice(0, MATCHES_MAX);
  return { lines: told, searched: told.at(-1)! };
}
