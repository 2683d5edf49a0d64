import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "./schema.ts";
import { type Trigger, triggerOf } from "./trigger.ts";
import { isFinished } from "./status.ts";

/** Who started a task, as a part of keys: a trigger, or a person (see `personStarter`). */
type StarterPart = Trigger | number;
const ANY = 0;

/** A person's part: their id, and with a minus what they sent with an API token. */
const personStarter = (userId: number, trigger: Trigger) => trigger === "api" ? -userId : userId;

/** The parts that a task is found by. */
function startersOf(task: TaskRow): StarterPart[] {
  const trigger = triggerOf(task);
  return task.user_id === null ? [trigger] : [trigger, personStarter(task.user_id, trigger)];
}

/** The parts that together have the tasks of a person, or of triggers, or of both; all without one. */
export function starterParts(userId?: number, triggers?: readonly Trigger[]): StarterPart[] {
  if (userId === undefined) return triggers ? [...triggers] : [ANY];
  const own = (["manual", "api"] as const).filter((one) => triggers?.includes(one) ?? true);
  return own.map((trigger) => personStarter(userId, trigger));
}

/**
 * The rows that lead to a task from what history is filtered by. A status is among that only when
 * it is the last one: all tasks of the others are in `open_tasks`.
 */
export function indexKeys(task: TaskRow): Deno.KvKey[] {
  const { id, project_id, template_id, status } = task;
  const found = [rowKeys.taskByTemplate(project_id, template_id, id)];
  for (const template of [0, template_id]) {
    for (const starter of [ANY, ...startersOf(task)]) {
      if (starter !== ANY) found.push(rowKeys.taskInHistory(project_id, template, starter, "", id));
      if (isFinished(status)) {
        found.push(rowKeys.taskInHistory(project_id, template, starter, status, id));
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
