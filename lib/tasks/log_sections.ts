import type { ProjectScope } from "../access/scope.ts";
import { rowKeys } from "../kv/keys.ts";
import { type LogSection, type OutlineHead, PAGE_SECTIONS } from "./log_outline.ts";
import type { LogSections } from "./log_matches.ts";
import { getLogHead } from "./log_store.ts";
import { getTask } from "./repository.ts";

/** The parts in the row that is written last, for who goes on with a log. */
export async function lastSections(
  { kv, taskId }: { kv: Deno.Kv; taskId: number },
  { sections = 0 }: OutlineHead,
): Promise<LogSection[]> {
  if (sections === 0) return [];
  const n = Math.ceil(sections / PAGE_SECTIONS) - 1;
  return (await kv.get<LogSection[]>(rowKeys.taskLogSection(taskId, n))).value ?? [];
}

/** Parts that are told at once. */
const ANSWER_MAX = 1_000;

/**
 * The plays and play tasks of a task's output, as its lines announce them: those after the first
 * `skip`. Outputs of earlier versions have none.
 */
export async function listSections(
  { deps: { kv }, projectId }: ProjectScope,
  id: number,
  skip = 0,
  limit = ANSWER_MAX,
): Promise<LogSections> {
  const task = await getTask(kv, projectId, id);
  const { sections: count = 0, first_failure = 0 } = await getLogHead(kv, task.id);
  const end = Math.min(count, skip + Math.min(limit, ANSWER_MAX));
  const sections: LogSection[] = [];
  if (skip < end) {
    const first = Math.floor(skip / PAGE_SECTIONS);
    const selector = {
      start: rowKeys.taskLogSection(task.id, first),
      end: rowKeys.taskLogSection(task.id, Math.ceil(end / PAGE_SECTIONS)),
    };
    for await (const { value } of kv.list<LogSection[]>(selector)) sections.push(...value);
    sections.splice(0, skip - first * PAGE_SECTIONS);
    sections.splice(end - skip);
  }
  return { sections, has_next: end < count, first_failure: first_failure || null };
}
