import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { AppError } from "../../base/errors.ts";
import { type DueList, startDueLoop } from "../../store/due.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Loop } from "../../store/loop.ts";
import type { Store } from "../../store/store.ts";
import type { AutorunRow } from "../../queue/outboxes/autorun_outbox.ts";
import { followBuilds } from "../../queue/start/follow_builds.ts";
import { putWorkflowStart } from "../../queue/outboxes/workflow_outbox.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { workflowRows } from "../repository.ts";
import { type RunRow, startRunForm } from "../run_schema.ts";
import { runKey } from "./new_run.ts";
import { startRun } from "./start.ts";

/** Starts workflows after builds, on this server or another one that shares the store. */
export const startBuildWorkflows = (deps: Deps): Loop =>
  startDueLoop(
    deps,
    "build_workflows",
    rowKeys.workflowStartsWake(),
    dueBuildWorkflows(deps),
    maintenanceHold(deps),
  );

/** Returns the builds whose workflows are still to be started. */
export const dueBuildWorkflows = (deps: Deps): DueList<AutorunRow> =>
  followBuilds(deps, {
    prefix: rowKeys.workflowStartsDue(),
    put: putWorkflowStart,
    object: "workflow",
    list: async ({ project_id, template_id }) =>
      (await workflowRows.list(deps.kv, project_id)).filter((workflow) =>
        workflow.build_template_id === template_id
      ),
    async start(scope, task, { id: workflowId }, also) {
      const path = await pathTo(deps.kv, task);
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
