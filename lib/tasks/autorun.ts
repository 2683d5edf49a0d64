import type { SystemActor } from "../access/actor.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { recordEvent } from "../events/record.ts";
import { templateRows } from "../templates/repository.ts";
import type { TaskRow } from "./schema.ts";
import { startTask } from "./service.ts";

/** Starts the deploys that follow a successful build (or deploy) by themselves. */
export async function startAutoruns(deps: Deps, ended: TaskRow): Promise<void> {
  if (ended.status !== "success" || ended.template_type === "") return;
  const { id, project_id: projectId, template_name: name } = ended;
  const templates = await templateRows.list(deps.kv, projectId);
  const actor = { kind: "autorun", id, name, projectId } as const;
  for (const template of templates) {
    if (!template.autorun || template.build_template_id !== ended.template_id) continue;
    try {
      await startTask(deps, actor, projectId, { template_id: template.id, build_task_id: id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await recordFailure(deps, actor, template, error);
    }
  }
}

/** Nobody waits for the answer of an automatic start: that it failed is told as an event. */
async function recordFailure(
  deps: Deps,
  actor: SystemActor,
  template: { id: number; name: string },
  error: AppError,
) {
  const op = deps.kv.atomic();
  recordEvent(op, deps, actor, {
    projectId: actor.projectId,
    object: "template",
    id: template.id,
    name: template.name,
    action: "autorun_failed",
    params: { reason: error.key },
  });
  await op.commit();
}
