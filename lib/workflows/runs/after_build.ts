import { AppError } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import { buildFollower, buildJobs, followBuilds } from "../../queue/start/follow_builds.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { workflowRows } from "../repository.ts";
import { type RunRow, startRunForm } from "../run_schema.ts";
import { runKey } from "./new_run.ts";
import { startRun } from "./start.ts";

export const buildWorkflowJobs = buildJobs("build_workflows");

export const buildWorkflowFollower = buildFollower(buildWorkflowJobs, ["build"]);

/** Starts workflows after builds. */
export const buildWorkflowWorker = followBuilds(buildWorkflowJobs, {
  object: "workflow",
  list: async ({ kv }, { project_id, template_id }) =>
    (await workflowRows.list(kv, project_id)).filter((workflow) =>
      workflow.build_template_id === template_id
    ),
  async start(scope, task, { id: workflowId }, also) {
    const path = await pathTo(scope.deps.kv, task);
    // A workflow with a step that builds would start itself forever.
    if (path.includes(workflowId)) throw new AppError(400, "errors.workflows.led_to_build");
    const { id: task_id, template_id, version } = task;
    const build = { task_id, template_id, version: version ?? "", path };
    await startRun(scope, workflowId, startRunForm.parse({}), { build, also });
  },
});

/** Returns the workflows whose runs led to a build. */
async function pathTo(kv: Store, { project_id, workflow }: TaskRow): Promise<number[]> {
  if (!workflow) return [];
  const { value: run } = await kv.get<RunRow>(runKey({ project_id, id: workflow.run_id }));
  return run ? [...run.build?.path ?? [], ...run.path] : [workflow.workflow_id];
}
