import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished } from "./status.ts";

/**
 * The rows that lead to a task from what history is filtered by. A status is among that only when
 * it is the last one: all tasks of the others are in `open_tasks`.
 */
export function indexKeys(task: TaskRow): Deno.KvKey[] {
  const { id, project_id, template_id, user_id, status } = task;
  const found = [rowKeys.taskByTemplate(project_id, template_id, id)];
  for (const template of [0, template_id]) {
    for (const user of user_id === null ? [0] : [0, user_id]) {
      if (user !== 0) found.push(rowKeys.taskInHistory(project_id, template, user, "", id));
      if (isFinished(status)) {
        found.push(rowKeys.taskInHistory(project_id, template, user, status, id));
      }
    }
  }
  // Also deploys: a chain of deploys picks from those that went well before it.
  if (status === "success" && task.template_type !== "") {
    found.push(rowKeys.build(project_id, template_id, id));
  }
  return found;
}

/** Those that a step of a task adds: the others are there since it was stored. */
export function newIndexKeys(before: TaskRow, after: TaskRow): Deno.KvKey[] {
  const known = new Set(indexKeys(before).map(String));
  return indexKeys(after).filter((key) => !known.has(String(key)));
}
