import type { ProjectScope } from "../access/scope.ts";
import { keptWhile } from "../kv/kept.ts";
import { rowKeys } from "../kv/keys.ts";
import { findTask, listTasks } from "../tasks/repository.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** Tasks that one search looks at: newest first, from where the last one ended. */
const TASKS_LOOKED_AT = 1_000;

/** What of a task is searched. */
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
  /** The id of the oldest of them, where there are older ones. */
  since: number | null;
}

/**
 * The project's newest tasks, or those just older than `before`: as many as a search looks at. There
 * is no index of words: a text would take a row for each of its words.
 */
export function searchedTasks(
  { deps: { kv }, projectId }: ProjectScope,
  before?: number,
): Promise<TasksLookedAt> {
  const read = () => readTasks(kv, projectId, before);
  return before === undefined
    ? keptWhile(kv, [rowKeys.tasksWake()], `searched tasks of ${projectId}`, read)
    : read();
}

async function readTasks(kv: Deno.Kv, projectId: number, before?: number): Promise<TasksLookedAt> {
  const rows = await listTasks(kv, projectId, { limit: TASKS_LOOKED_AT + 1, before });
  const tasks = rows.slice(0, TASKS_LOOKED_AT).map(textsOf);
  return { tasks, since: rows.length > tasks.length ? tasks.at(-1)!.id : null };
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

/** The task whose number is the query, as `12` or `#12`; null where that is none. */
export async function numberedTask(
  { deps: { kv }, projectId }: ProjectScope,
  query: string,
): Promise<TaskTexts | null> {
  const [, number] = /^#?(\d{1,15})$/.exec(query) ?? [];
  const row = number === undefined ? null : await findTask(kv, projectId, Number(number));
  return row && textsOf(row);
}

/** In what a task may be found: its message, its version, its commit. */
export const textsOfTask = (task: TaskTexts): string[] =>
  [task.message, task.version ?? task.incoming_version ?? "", task.commit_hash ?? ""]
    .filter((text) => text !== "");
