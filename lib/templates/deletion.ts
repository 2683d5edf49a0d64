import { authorize } from "../access/authorize.ts";
import type { Actor, Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { recordEvent } from "../events/record.ts";
import { keys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import {
  deleteTemplateSchedules,
  listTemplateSchedules,
  removeSchedule,
} from "../schedules/repository.ts";
import { listOpenTasks } from "../tasks/repository.ts";
import { deleteTemplateTasks } from "../tasks/retention.ts";
import { templateRows } from "./repository.ts";

/**
 * Deletes a template with its schedules, tasks and their output. Throws 409 while another template
 * deploys it, an integration starts it, or one of its tasks has no end.
 */
export async function deleteTemplate(
  deps: Deps,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<void> {
  const { kv } = deps;
  await authorize(kv, actor, projectId, "manage_resources");
  await transact(kv, async (op) => {
    await requireEnded(kv, op, projectId, id);
    const { name } = await templateRows.remove(kv, op, projectId, id);
    await deleteMostSchedules(kv, projectId, id);
    await deleteTemplateSchedules(kv, op, projectId, id);
    recordEvent(op, deps, actor, { projectId, object: "template", id, name, action: "deleted" });
  });
  // Only now: a deletion that is refused must not cost the history. No task can begin any more.
  await deleteTemplateTasks(deps, projectId, id);
}

/** Throws 409 while a task of the template has no end. Adds to `op` that no new one begins. */
async function requireEnded(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  id: number,
): Promise<void> {
  op.check(await kv.get(keys.lastTask(projectId, id))); // moved by each new task
  const open = (await listOpenTasks(kv)).filter(({ template_id }) => template_id === id);
  if (open.length === 0) return;
  throw new AppError(409, "errors.templates.tasks_open", {}, {
    body: { tasks: open.map((task) => task.id) },
  });
}

/** A commit takes 10 checks: the template needs four of them, and each schedule two. */
const SCHEDULES_PER_COMMIT = 3;

/** Deletes schedules until those that are left can go together with their template. */
async function deleteMostSchedules(kv: Deno.Kv, projectId: number, id: number): Promise<void> {
  for (;;) {
    const schedules = await listTemplateSchedules(kv, projectId, id);
    if (schedules.length <= SCHEDULES_PER_COMMIT) return;
    await transact(kv, async (op) => {
      for (const schedule of schedules.slice(0, SCHEDULES_PER_COMMIT)) {
        await removeSchedule(kv, op, projectId, schedule.id);
      }
    });
  }
}
