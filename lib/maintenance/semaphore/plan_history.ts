import type { Source, SourceProject, SourceTask } from "./source.ts";

/** Tasks of one project that are asked for: a source could go on with further ones for ever. */
export const TASKS_MAX = 200_000;

/** The tasks that are to come along, oldest first, with the ids they are to have here. */
export interface HistoryPlan {
  tasks: (SourceTask & { created: string; newId: number })[];
  leftOut: Map<string, number>;
}

/**
 * Chooses the newest `count` tasks of each template. Their ids are taken with `take` before their
 * project is made: a project's ids are in order of time, whoever starts tasks in it meanwhile.
 */
export async function planHistory(
  source: Source,
  { project, templates }: SourceProject,
  count: number,
  take: (count: number) => Promise<number[]>,
): Promise<HistoryPlan> {
  const leftOut = new Map<string, number>();
  const found: (SourceTask & { created: string })[] = [];
  for (const template of templates) {
    const left = TASKS_MAX - found.length;
    const wanted = Math.min(count, left);
    const { tasks, cut } = await source.tasks(Number(project.id), Number(template.id), wanted);
    if (tasks.length >= left && count > left) {
      tally(
        leftOut,
        `of "${template.name}", older ones: a project's history ends at ${TASKS_MAX} tasks`,
      );
    }
    if (cut) tally(leftOut, `of "${template.name}", all that are older: the server lists no more`);
    for (const { id, created } of tasks) {
      if (created === null) tally(leftOut, "without a time");
      else found.push({ id, created });
    }
  }
  // Not by id: those of one kind of database count down.
  found.sort((a, b) => a.created < b.created ? -1 : a.created > b.created ? 1 : a.id - b.id);
  const ids = await take(found.length);
  return { tasks: found.map((task, at) => ({ ...task, newId: ids[at] })), leftOut };
}

export const tally = (counts: Map<string, number>, reason: string) =>
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
