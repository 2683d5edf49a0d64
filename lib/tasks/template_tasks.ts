import type { ProjectScope } from "../access/scope.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { cachedWhile } from "../store/cached.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { ownLastStates } from "./own_tasks.ts";
import type { TaskView } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type ShownTemplate, taskView, taskViews } from "./view.ts";
import type { WaitDeps } from "./waiting/read_reasons.ts";

/** Maximum number of templates of a project. */
const LIST_MAX = 10_000;

/**
 * Returns the latest task of each of the project's templates that has one, by template id. `names`
 * has the names of the templates. Answers that are stored outside of the row are left out.
 */
export async function lastTasksOf(
  deps: WaitDeps,
  projectId: number,
  names: ShownTemplate,
): Promise<Map<number, TaskView>> {
  const tasks = await Array.fromAsync(
    deps.kv.list<TaskRow>(
      { prefix: rowKeys.lastTasks(projectId) },
      { limit: LIST_MAX, batchSize: 500 },
    ),
    ({ value }) => value,
  );
  const views = await taskViews(deps, tasks, { names, brief: true });
  return new Map(views.map((view) => [view.template_id, view]));
}

/** Returns the same for some of the templates. */
export async function lastTasksOfSome(
  deps: WaitDeps,
  projectId: number,
  names: ShownTemplate,
): Promise<Map<number, TaskView>> {
  const keys = [...names.keys()].map((id) => rowKeys.lastTask(projectId, id));
  const rows = (await getAll<TaskRow>(deps.kv, keys)).flatMap(({ value }) => value ?? []);
  const views = await taskViews(deps, rows, { names, brief: true });
  return new Map(views.map((view) => [view.template_id, view]));
}

/** The parts of a latest task by which lists of templates are sorted. */
export type LastState = Pick<TaskRow, "id" | "status" | "version">;

/**
 * Returns them for each template that has a task the actor sees, by its id. Cached until a task
 * changes.
 */
export async function listLastStates(
  scope: ProjectScope,
): Promise<ReadonlyMap<number, LastState>> {
  const { seesAllTasks } = await sightOf(scope);
  return seesAllTasks ? await allLastStates(scope) : await ownLastStates(scope);
}

const allLastStates = (
  { deps: { kv }, projectId }: ProjectScope,
): Promise<ReadonlyMap<number, LastState>> =>
  cachedWhile(kv, [rowKeys.tasksWake()], `last states of ${projectId}`, async () => {
    const states = new Map<number, LastState>();
    const prefix = rowKeys.lastTasks(projectId);
    const entries = kv.list<TaskRow>({ prefix }, { limit: LIST_MAX, batchSize: 500 });
    for await (const { value: { template_id, id, status, version } } of entries) {
      states.set(template_id, { id, status, version });
    }
    return states;
  });

/** Returns the latest task of one template in the same way, as someone sees it, or null. */
export async function lastTaskOf(
  deps: WaitDeps,
  projectId: number,
  templateId: number,
  sight: Sight,
): Promise<TaskView | null> {
  const { value } = await deps.kv.get<TaskRow>(rowKeys.lastTask(projectId, templateId));
  return value && await taskView(deps, value, { brief: true, sight });
}

/** Returns how many tasks of a template were ever started. */
export async function countTasks(
  kv: Store,
  projectId: number,
  templateId: number,
): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(rowKeys.taskCount(projectId, templateId));
  return Number(value?.value ?? 0);
}

/** Returns these counts for some templates, in their order. */
export async function countTasksOfSome(
  kv: Store,
  projectId: number,
  templateIds: readonly number[],
): Promise<number[]> {
  const keys = templateIds.map((id) => rowKeys.taskCount(projectId, id));
  return (await getAll<Deno.KvU64>(kv, keys)).map(({ value }) => Number(value?.value ?? 0));
}

/** Returns these counts for all templates of the project that had a task, by template id. */
export async function countTasksOf(kv: Store, projectId: number): Promise<Map<number, number>> {
  const prefix = rowKeys.taskCounts(projectId);
  const counts = new Map<number, number>();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 })) {
    counts.set(key.at(-1) as number, Number(value.value));
  }
  return counts;
}
