import { isDeepStrictEqual } from "node:util";
import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import type { Source, SourceProject, SourceTask } from "./source.ts";

/** Maximum number of tasks requested per project, because a source could list tasks without end. */
export const TASKS_MAX = 200_000;

/** The tasks to import, oldest first, with their new ids. */
export interface HistoryPlan {
  tasks: (SourceTask & { created: string; newId: number })[];
  leftOut: LeftOutTasks[];
}

/** Number of tasks that were not imported for the same reason. */
export interface LeftOutTasks {
  reason: SentenceOrText;
  tasks: number;
}

/**
 * Chooses the latest `count` tasks of each template. `take` allocates their ids before the project
 * is created. That keeps a project's ids in order of time, even if someone starts tasks in it
 * meanwhile.
 */
export async function planHistory(
  source: Source,
  { project, templates }: SourceProject,
  count: number,
  take: (count: number) => Promise<number[]>,
): Promise<HistoryPlan> {
  const leftOut: LeftOutTasks[] = [];
  const found: (SourceTask & { created: string })[] = [];
  for (const template of templates) {
    const left = TASKS_MAX - found.length;
    const wanted = Math.min(count, left);
    const { tasks, cut } = await source.tasks(Number(project.id), Number(template.id), wanted);
    if (tasks.length >= left && count > left) {
      tally(
        leftOut,
        `of "${template.name}", the oldest: a project's history is limited to ${TASKS_MAX} tasks`,
      );
    }
    if (cut) tally(leftOut, `of "${template.name}", all older ones: the server does not list them`);
    for (const { id, created } of tasks) {
      if (created === null) tally(leftOut, "without a time");
      else found.push({ id, created });
    }
  }
  // Not sorted by id, because ids count down in one kind of database.
  found.sort((a, b) => a.created < b.created ? -1 : a.created > b.created ? 1 : a.id - b.id);
  const ids = await take(found.length);
  return { tasks: found.map((task, at) => ({ ...task, newId: ids[at] })), leftOut };
}

export function tally(counts: LeftOutTasks[], reason: SentenceOrText): void {
  const same = counts.find((one) => isDeepStrictEqual(one.reason, reason));
  if (same) same.tasks++;
  else counts.push({ reason, tasks: 1 });
}
