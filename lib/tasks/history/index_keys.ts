import { rowKeys } from "../../store/keys.ts";
import type { TaskRow } from "../../model/task_row.ts";
import type { TaskFilter } from "./filter.ts";
import { type Trigger, triggerOf } from "../trigger.ts";
import { isFinished } from "../../model/status.ts";

/**
 * Initiator of a task in keys: a trigger, a person (see `personInitiator`) or a workflow. The
 * runner of a task has the same place.
 */
type InitiatorKey = Trigger | number | `runner:${number}` | `workflow:${number}`;
const ANY = 0;

const runnerKey = (runnerId: number): InitiatorKey => `runner:${runnerId}`;
const workflowKey = (workflowId: number): InitiatorKey => `workflow:${workflowId}`;

/** Returns the key of a person: their id, negated for tasks sent with an API token. */
const personInitiator = (userId: number, trigger: Trigger) => trigger === "api" ? -userId : userId;

/** Returns the initiators under which a task is found, and its runner. */
function initiatorKeysOf(task: TaskRow, trigger: Trigger): InitiatorKey[] {
  const { user_id } = task;
  return [
    trigger,
    ...user_id === null || trigger === "check" ? [] : [personInitiator(user_id, trigger)],
    ...task.runner_id === undefined ? [] : [runnerKey(task.runner_id)],
    ...task.workflow === undefined ? [] : [workflowKey(task.workflow.workflow_id)],
  ];
}

/**
 * Returns the initiators that together have the tasks of a person, of triggers, or of both; the one
 * of all tasks without a filter. The tasks of a runner are those of any initiator. Steps of
 * workflows start no task as a person, and none with another trigger.
 */
export function initiatorKeys(
  { userId, triggers, runnerId, workflowId }: Pick<
    TaskFilter,
    "userId" | "triggers" | "runnerId" | "workflowId"
  >,
): InitiatorKey[] {
  if (workflowId !== undefined) {
    const isPossible = userId === undefined && (triggers?.includes("workflow") ?? true);
    return isPossible ? [workflowKey(workflowId)] : [];
  }
  if (runnerId !== undefined) return [runnerKey(runnerId)];
  if (userId === undefined) return triggers ? [...triggers] : [ANY];
  const own = (["manual", "api"] as const).filter((one) => triggers?.includes(one) ?? true);
  return own.map((trigger) => personInitiator(userId, trigger));
}

/**
 * Returns the index rows of a task for the filters of the history. Only a final status is indexed,
 * because all unfinished tasks are in `open_tasks`. Checks are found by their trigger alone.
 */
export function indexKeys(task: TaskRow): Deno.KvKey[] {
  const { id, project_id, template_id, status } = task;
  const trigger = triggerOf(task);
  const isRun = trigger !== "check";
  const found = isRun ? [rowKeys.taskByTemplate(project_id, template_id, id)] : [];
  for (const template of [0, template_id]) {
    for (const initiator of [...isRun ? [ANY] : [], ...initiatorKeysOf(task, trigger)]) {
      if (initiator !== ANY) {
        found.push(rowKeys.taskInHistory(project_id, template, initiator, "", id));
      }
      if (isFinished(status)) {
        found.push(rowKeys.taskInHistory(project_id, template, initiator, status, id));
      }
    }
  }
  // Includes deploys, because a chain of deploys picks from the successful ones before it.
  if (status === "success" && task.template_type !== "" && isRun) {
    found.push(rowKeys.build(project_id, template_id, id));
  }
  return found;
}

/** Returns the keys that a step of a task adds. The others exist since the task was stored. */
export function newIndexKeys(before: TaskRow, after: TaskRow): Deno.KvKey[] {
  const known = new Set(indexKeys(before).map(String));
  return indexKeys(after).filter((key) => !known.has(String(key)));
}
