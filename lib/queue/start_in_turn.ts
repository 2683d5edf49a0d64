import type { ProjectScope } from "../access/scope.ts";
import { conflict, stale } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import { orOvertaken, OVERTAKEN } from "../kv/transact.ts";
import { findOpenTask } from "../tasks/open_tasks.ts";
import { findTask } from "../tasks/repository.ts";
import type { TaskView } from "../tasks/schema.ts";
import type { StartTaskForm } from "../tasks/start_form.ts";
import { isActive, isFinished } from "../tasks/status.ts";
import type { WaitingPolicy } from "../tasks/waiting_policy.ts";
import { endTask } from "./end_task.ts";
import { startTask } from "./start.ts";

/** Starts of others that may come first while a waiting task is replaced. */
const ATTEMPTS_MAX = 20;

/** A task with the one that it replaces, or the task that waits already. */
export type StartedInTurn = { task: TaskView; replaced: number | null } | { waits: number };

/**
 * Starts a task for a schedule or an integration, unless an earlier one of it still waits and
 * `policy` says otherwise. The commit checks which task is its latest, so that at most one waits
 * however many calls there are, on however many servers.
 */
export async function startInTurn(
  scope: ProjectScope<"run_tasks">,
  form: StartTaskForm,
  policy: WaitingPolicy,
): Promise<StartedInTurn> {
  const { deps: { kv }, actor, projectId } = scope;
  if (policy === "all" || actor.kind !== "schedule" && actor.kind !== "integration") {
    return { task: await startTask(scope, form), replaced: null };
  }
  const key = rowKeys.latestStart(projectId, actor.kind, actor.id);
  let replaced: number | null = null;
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    let waits: number | null = null;
    try {
      const task = await startTask(scope, form, async (op, { id }) => {
        const latest = await kv.get<number>(key);
        waits = latest.value !== null && await isWaiting(kv, latest.value) ? latest.value : null;
        if (waits !== null) throw conflict("errors.task_waits", { id: waits });
        op.check(latest).set(key, id);
      });
      return { task, replaced };
    } catch (error) {
      if (waits === null) throw error;
      if (policy === "one") return { waits };
      if (await endWaiting(scope, waits)) replaced = waits;
    }
  }
  throw stale();
}

async function isWaiting(kv: Deno.Kv, id: number): Promise<boolean> {
  const open = await findOpenTask(kv, id);
  return open !== null && !isActive(open.status);
}

/** Ends a waiting task. Returns false if it no longer waits. */
async function endWaiting(
  { deps, actor, projectId }: ProjectScope<"run_tasks">,
  id: number,
): Promise<boolean> {
  const task = await findTask(deps.kv, projectId, id);
  if (!task || isActive(task.status) || isFinished(task.status)) return false;
  const reason = { key: "errors.run.replaced" };
  const ended = endTask(deps, task, { how: "replaced", by: actor, stop: "stop", reason });
  return await orOvertaken(ended) !== OVERTAKEN;
}
