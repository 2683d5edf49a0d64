import type { ProjectScope } from "../access/scope.ts";
import { findSeenTask } from "../access/seen/tasks.ts";
import { sightStamps } from "../access/rules/read.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { listHistory } from "../tasks/history/history.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Maximum number of tasks that one search reads, newest first. */
const TASKS_LOOKED_AT = 1_000;

/** Searched members of a task. */
type TaskTexts = Pick<
  TaskRow,
  | "id"
  | "template_id"
  | "message"
  | "version"
  | "incoming_version"
  | "commit_hash"
>;

interface TasksLookedAt {
  tasks: TaskTexts[];
  /** Id of the oldest of them, if there are older ones. */
  since: number | null;
}

/**
 * Returns the project's latest tasks, or those just older than `before`, up to the limit of one
 * search. Like the history, they leave out checks for drift. There is no index of words, because a
 * text would take a row for each of its words.
 */
export async function searchedTasks(
  scope: ProjectScope,
  before?: number,
): Promise<TasksLookedAt> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  const name = `searched tasks of ${projectId} ${sight.readers}`;
  const read = () => readTasks(kv, projectId, before, sight);
  return before === undefined
    ? await cachedWhile(kv, [rowKeys.tasksWake(), ...sightStamps(projectId)], name, read)
    : await read();
}

async function readTasks(
  kv: Store,
  projectId: number,
  before: number | undefined,
  sight: Sight,
): Promise<TasksLookedAt> {
  const filter = { limit: TASKS_LOOKED_AT, before };
  const { tasks, next } = await listHistory(kv, projectId, filter, sight);
  return { tasks: tasks.map(textsOf), since: next };
}

const textsOf = ({
  id,
  template_id,
  message,
  version,
  incoming_version,
  commit_hash,
}: TaskRow): TaskTexts => ({
  id,
  template_id,
  message,
  version,
  incoming_version,
  commit_hash,
});

/** Returns the task whose number is the query, as in `12` or `#12`; null if there is none. */
export async function numberedTask(
  scope: ProjectScope,
  query: string,
): Promise<TaskTexts | null> {
  const [, number] = /^#?(\d{1,15})$/.exec(query) ?? [];
  const row = number === undefined ? null : await findSeenTask(scope, Number(number));
  return row && textsOf(row);
}

/** Returns the searched texts of a task: its message, version and commit. */
export const textsOfTask = (task: TaskTexts): string[] =>
  [task.message, task.version ?? task.incoming_version ?? "", task.commit_hash ?? ""]
    .filter((text) => text !== "");
