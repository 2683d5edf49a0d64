import type { SentenceParams } from "../base/errors.ts";
import type { RunRow } from "./run_schema.ts";
import type { WorkflowRow } from "./schema.ts";

/** Returns the event for a workflow; `action` is the last part of the locale key. */
export const workflowEvent = (
  { project_id, id, name }: Pick<WorkflowRow, "project_id" | "id" | "name">,
  action: string,
) => ({ projectId: project_id, object: "workflow", id, name, action }) as const;

/** Returns the event for a run of a workflow. */
export const runEvent = (run: RunRow, action: string, params: SentenceParams = {}) =>
  ({
    ...workflowEvent(
      { project_id: run.project_id, id: run.workflow_id, name: run.workflow_name },
      action,
    ),
    params: { run: run.id, ...params },
  }) as const;
