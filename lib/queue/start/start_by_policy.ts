import type { ProjectScope } from "../../access/scope.ts";
import { conflict } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import { orOvertaken, retryOvertaken } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { taskChanged } from "../../tasks/changes.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskView } from "../../tasks/schema.ts";
import type { TaskRow } from "../../model/task_row.ts";
import type { StartTaskForm } from "../../tasks/start_form.ts";
import { isActive, isFinished } from "../../model/status.ts";
import type { WaitingPolicy } from "../../tasks/waiting_policy.ts";
import { addIdleEnd } from "../ending/end_task.ts";
import { type StartAlso, startTask } from "./start.ts";

/** A task with the one that it replaces, or the task that waits already. */
export type StartedByPolicy = { task: TaskView; replaced: number | null } | { waits: number };

/**
 * Starts a task for a schedule or an integration, unless an earlier one of it still waits and
 * `policy` says otherwise. A task that is replaced ends in the same commit. At most one waits
 * however many calls there are, on however many servers: each start takes the next id of all tasks,
 * so no other start comes between reading the latest one and the commit. `also` adds to that
 * commit, as in `startTask`.
 */
export async function startByPolicy(
  scope: ProjectScope<"run_tasks">,
  form: StartTaskForm,
  policy: WaitingPolicy,
  also: StartAlso = () => Promise.resolve(),
): Promise<StartedByPolicy> {
  const { deps, actor, projectId } = scope;
  if (policy === "all" || actor.kind !== "schedule" && actor.kind !== "integration") {
    return { task: await startTask(scope, form, also), replaced: null };
  }
  const key = rowKeys.latestStart(projectId, actor.kind, actor.id);
  const found: { waits: number | null; replaced: TaskRow | null } = { waits: null, replaced: null };
  try {
    const task = await startTask(scope, form, async (op, added) => {
      found.replaced = await retryOvertaken(async () => {
        const waiting = await findWaiting(deps.kv, projectId, key);
        if (!waiting) return null;
        if (policy === "one") {
          found.waits = waiting.id;
          throw conflict("errors.task_waits", { id: waiting.id });
        }
        const reason = { key: "errors.run.replaced" };
        const end = { how: "replaced", by: actor, stop: "stop", reason } as const;
        return await orOvertaken(addIdleEnd(deps, op, waiting, end));
      });
      op.set(key, added.id);
      await also(op, added);
    });
    if (found.replaced) taskChanged(deps, found.replaced);
    return { task, replaced: found.replaced?.id ?? null };
  } catch (error) {
    if (found.waits === null) throw error;
    return { waits: found.waits };
  }
}

/** Returns the latest start of a schedule or an integration if it waits; null otherwise. */
async function findWaiting(
  kv: Store,
  projectId: number,
  latestKey: Deno.KvKey,
): Promise<TaskRow | null> {
  const latest = await kv.get<number>(latestKey);
  const task = latest.value === null ? null : await findTask(kv, projectId, latest.value);
  return task && !isActive(task.status) && !isFinished(task.status) ? task : null;
}
