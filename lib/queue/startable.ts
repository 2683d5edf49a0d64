import { getAll } from "../kv/get_all.ts";
import { rowKeys } from "../kv/keys.ts";
import type { ProjectRow } from "../access/rows.ts";
import type { TemplateRow } from "../templates/schema.ts";
import type { OpenTask } from "../tasks/open_tasks.ts";
import { isActive, isQueued } from "../tasks/status.ts";

/**
 * What the queue waits for besides itself. Whoever changes such a row moves `tasks_wake` in the same
 * commit and wakes the dispatcher: tests/queue_wake_test.ts has all of them.
 */
interface Limits {
  /** Projects of queued tasks; one that is missing starts nothing. */
  projects: Map<number, { max_parallel_tasks: number }>;
  /** Templates whose tasks may run beside each other, by `templateOf`. */
  parallel: Set<string>;
}

const templateOf = (task: Pick<OpenTask, "project_id" | "template_id">): string =>
  `${task.project_id}/${task.template_id}`;

/** Reads what the queued tasks of `open` wait for. */
export async function readLimits(kv: Deno.Kv, open: OpenTask[]): Promise<Limits> {
  const queued = open.filter(({ status }) => isQueued(status));
  const templates = new Map(queued.map((task) => [templateOf(task), task]));
  const projectIds = new Set(queued.map(({ project_id }) => project_id));
  const [projectRows, templateRows] = await Promise.all([
    getAll<ProjectRow>(kv, [...projectIds].map((id) => rowKeys.project(id))),
    getAll<TemplateRow>(
      kv,
      [...templates.values()].map(({ project_id, template_id }) =>
        rowKeys.resource("templates", project_id, template_id)
      ),
    ),
  ]);
  const shown = projectRows.flatMap(({ value }) => value && !value.deleting ? [value] : []);
  const names = [...templates.keys()];
  return {
    projects: new Map(shown.map((project) => [project.id, project])),
    parallel: new Set(names.filter((_, n) => templateRows[n].value?.allow_parallel_tasks)),
  };
}

/**
 * The queued tasks that may start now, oldest first, at most `free`. A blocked one never holds up
 * the others.
 */
export function startable(
  open: OpenTask[],
  { projects, parallel }: Limits,
  free: number,
): OpenTask[] {
  const inProject = new Map<number, number>();
  const busy = new Set<string>();
  const count = (task: OpenTask) => {
    inProject.set(task.project_id, (inProject.get(task.project_id) ?? 0) + 1);
    busy.add(templateOf(task));
  };
  open.filter(({ status }) => isActive(status)).forEach(count);
  const chosen: OpenTask[] = [];
  for (const task of open) {
    if (chosen.length >= free) break;
    if (!isQueued(task.status)) continue;
    const project = projects.get(task.project_id);
    if (!project) continue;
    const limit = project.max_parallel_tasks;
    if (limit > 0 && (inProject.get(task.project_id) ?? 0) >= limit) continue;
    const template = templateOf(task);
    if (busy.has(template) && !parallel.has(template)) continue;
    chosen.push(task);
    count(task);
  }
  return chosen;
}
