import { getAll } from "../kv/get_all.ts";
import { rowKeys } from "../kv/keys.ts";
import type { ProjectRow } from "../access/rows.ts";
import type { TemplateRow } from "../templates/schema.ts";
import type { OpenTask } from "../tasks/open_tasks.ts";
import { isActive, isQueued } from "../tasks/status.ts";

/**
 * Rows that the queue depends on besides its own. Each change of such a row moves `tasks_wake` in
 * the same commit and wakes the dispatcher. tests/queue_wake_test.ts covers all of them.
 */
interface Limits {
  /** Projects of queued tasks. Tasks of missing projects do not start. */
  projects: Map<number, { max_parallel_tasks: number }>;
  /** Templates that allow parallel tasks, by `templateOf`. */
  parallel: Set<string>;
}

const templateOf = (task: Pick<OpenTask, "project_id" | "template_id">): string =>
  `${task.project_id}/${task.template_id}`;

/** Reads the limits for the queued tasks of `open`. */
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
 * Reason why a queued task does not start yet. `behind` has the tasks that must end first, oldest
 * first.
 */
export type Blocked =
  | { by: "template"; behind: OpenTask[] }
  | { by: "project"; limit: number; behind: OpenTask[] }
  /** The servers run as many tasks as they may, of any project. */
  | { by: "server" };

interface Verdict {
  task: OpenTask;
  /** Null if the task starts now. */
  blocked: Blocked | null;
}

/**
 * Returns a verdict for each queued task, in the order of `open`. At most `free` tasks start now. A
 * blocked task never blocks the others. Tasks of projects that are deleted or being deleted are
 * left out.
 */
export function judge(open: OpenTask[], { projects, parallel }: Limits, free: number): Verdict[] {
  const byProject = groups(({ project_id }) => project_id);
  const byTemplate = groups(templateOf);
  const hold = (task: OpenTask) => [byProject, byTemplate].forEach((group) => group.add(task));
  open.filter(({ status }) => isActive(status)).forEach(hold);
  let left = free;
  return open.flatMap((task) => {
    const project = projects.get(task.project_id);
    if (!project || !isQueued(task.status)) return [];
    const { max_parallel_tasks: limit } = project;
    const [ofProject, ofTemplate] = [byProject.of(task), byTemplate.of(task)];
    const blocked: Blocked | null = ofTemplate.length > 0 && !parallel.has(templateOf(task))
      ? { by: "template", behind: ofTemplate }
      : limit > 0 && ofProject.length >= limit
      ? { by: "project", limit, behind: ofProject }
      : left > 0
      ? null
      : { by: "server" };
    if (!blocked) {
      hold(task);
      left--;
    }
    return { task, blocked };
  });
}

/** Groups tasks by a common value. */
function groups(commonOf: (task: OpenTask) => string | number) {
  const tasks = new Map<string | number, OpenTask[]>();
  return {
    of: (task: OpenTask) => tasks.get(commonOf(task)) ?? [],
    add(task: OpenTask) {
      const group = tasks.get(commonOf(task));
      if (group) group.push(task);
      else tasks.set(commonOf(task), [task]);
    },
  };
}

/** Returns the queued tasks that may start now, oldest first, at most `free`. */
export const startable = (...queue: Parameters<typeof judge>): OpenTask[] =>
  judge(...queue).flatMap(({ task, blocked }) => blocked ? [] : task);
