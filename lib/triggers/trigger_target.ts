import type * as z from "zod";
import { isBlank, optionalIdField } from "../base/fields.ts";
import type { WantedReferences } from "../references/service.ts";

/** The object that a schedule or an integration starts: a template, or else a workflow. */
export interface TriggerTarget {
  template_id: number | null;
  workflow_id: number | null;
}

export const targetFields = { template_id: optionalIdField, workflow_id: optionalIdField };

/** Values of tasks that a run of a workflow does not have. Its steps have their own. */
const OF_TASKS = [
  ...["limit", "tags", "skip_tags", "params", "arguments", "inventory_id", "git_branch"],
  ...["commit_hash", "build_task_id", "debug", "dry_run", "diff"],
];

/** Whether a value says more than that it is not set. */
function isSet(value: unknown): boolean {
  if (typeof value === "string") return !isBlank(value);
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Object.values(value).some(isSet);
}

/**
 * Reports a form that names no object to start, or two, or a workflow with values of a task, which
 * would be ignored.
 */
export function requireOneTarget(
  { template_id, workflow_id, task_params }: Partial<TriggerTarget> & {
    task_params?: Record<string, unknown> | null;
  },
  ctx: z.RefinementCtx,
): void {
  for (const name of workflow_id ? OF_TASKS : []) {
    if (!isSet(task_params?.[name])) continue;
    ctx.addIssue({ code: "custom", path: ["task_params", name], message: "errors.task_only" });
  }
  // It would lack the approvals that are added later. A text means the version of a build.
  if (workflow_id && typeof task_params?.version === "number" && task_params.version > 0) {
    const message = "errors.workflows.trigger_version";
    ctx.addIssue({ code: "custom", path: ["task_params", "version"], message });
  }
  if (!template_id && !workflow_id) {
    ctx.addIssue({ code: "custom", path: ["template_id"], message: "errors.required" });
  } else if (template_id && workflow_id) {
    ctx.addIssue({ code: "custom", path: ["workflow_id"], message: "errors.one_target" });
  }
}

/** The references of a form to the object that it starts. */
export const wantedTargets = (
  { template_id, workflow_id }: TriggerTarget,
): WantedReferences => ({
  template_id: template_id === null ? null : ["templates", template_id],
  workflow_id: workflow_id === null ? null : ["workflows", workflow_id],
});

interface Named {
  id: number;
  name: string;
}

/** Objects to start, as one field of a form offers them, with the values of its options as ids. */
export const targetChoices = (
  { templates, workflows }: { templates: readonly Named[]; workflows: readonly Named[] },
): { id: number | string; name: string }[] => [
  ...templates,
  ...workflows.map(({ id, name }) => ({ id: workflowValue(id), name })),
];

/** Value of a workflow in that field, where a number stands for a template. */
export const workflowValue = (id: number): string => `workflow-${id}`;

/** Value of a stored trigger in that field. */
export const chosenValue = ({ template_id, workflow_id }: TriggerTarget): number | string | null =>
  workflow_id ? workflowValue(workflow_id) : template_id;

/** Returns the object that is chosen in that field. */
export function chosenTarget(
  value = "",
): { template_id: number | null; workflow_id: number | null } {
  const [, workflow] = /^workflow-(\d{1,15})$/.exec(value) ?? [];
  return workflow
    ? { template_id: null, workflow_id: Number(workflow) }
    : { template_id: Number(value) || null, workflow_id: null };
}
