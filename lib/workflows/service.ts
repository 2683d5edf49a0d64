import { userIdOf } from "../access/actor.ts";
import { grants } from "../access/permissions.ts";
import type { ProjectScope } from "../access/scope.ts";
import { type Expected, requireVersion, versioned } from "../base/version.ts";
import { waitBriefly } from "../base/abort.ts";
import { describeError } from "../base/log.ts";
import { recordEvent } from "../events/record.ts";
import { nextId } from "../kv/ids.ts";
import type { References } from "../kv/references.ts";
import { transact } from "../kv/transact.ts";
import { referencesTo } from "../references/service.ts";
import { withoutSecretUrls } from "../surveys/hide_urls.ts";
import { storedSurvey } from "../surveys/schema.ts";
import { checkWorkflow } from "./checks.ts";
import { withIds } from "./definition.ts";
import { workflowEvent } from "./events.ts";
import { graphOf } from "./graph.ts";
import { workflowRows } from "./repository.ts";
import { deleteRunsOf, listRunRows, readDefinition, refuseOpenRuns } from "./runs/repository.ts";
import { runView } from "./runs/view.ts";
import type { RunView } from "./run_schema.ts";
import type { WorkflowForm, WorkflowRow, WorkflowView } from "./schema.ts";

/** The project's workflows by id, each with its latest run. */
export async function listWorkflows(scope: ProjectScope): Promise<WorkflowView[]> {
  const rows = await workflowRows.list(scope.deps.kv, scope.projectId);
  return await Promise.all(rows.map(async (row) => shownTo(scope, await withLastRun(scope, row))));
}

export async function getWorkflow(scope: ProjectScope, id: number): Promise<WorkflowView> {
  const row = await workflowRows.get(scope.deps.kv, scope.projectId, id);
  return versioned(shownTo(scope, await withLastRun(scope, row)), row);
}

const shownTo = ({ permissions }: ProjectScope, workflow: WorkflowView): WorkflowView =>
  grants(permissions, "manage_resources")
    ? workflow
    : { ...workflow, survey_vars: withoutSecretUrls(workflow.survey_vars) };

/** Returns a workflow with its latest run, which mostly follows the steps that it still has. */
async function withLastRun(
  { deps: { kv } }: ProjectScope,
  row: WorkflowRow,
): Promise<WorkflowView> {
  const [run] = await listRunRows(kv, row.project_id, row.id, { limit: 1 });
  if (!run) return workflowView(row);
  const followed = run.version === row.version ? row : await readDefinition(kv, run);
  return workflowView(row, runView(run, followed));
}

/** The objects that use a workflow, by name. They prevent its deletion. */
export const workflowReferences = (scope: ProjectScope, id: number): Promise<References> =>
  referencesTo(scope, ["workflows", id]);

/** Creates a workflow. Everything that its steps refer to must be in the same project. */
export async function createWorkflow(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: WorkflowForm,
): Promise<WorkflowView> {
  const id = await nextId(deps.kv, "workflows");
  const { notes = [], ...set } = form;
  const row: WorkflowRow = {
    id,
    project_id: projectId,
    ...set,
    survey_vars: storedSurvey(form.survey_vars),
    ...withIds(form.steps, [], 1),
    notes,
    version: 1,
    changed_by: userIdOf(actor),
  };
  await transact(deps.kv, async (op) => {
    await checkWorkflow(deps.kv, op, row);
    await workflowRows.insert(deps.kv, op, row);
    recordEvent(op, deps, actor, workflowEvent(row, "created"));
  });
  return versioned(workflowView(row), row);
}

/**
 * Changes a workflow. Runs that have started go on as they began. Throws 412 if the stored workflow
 * is not `expected`.
 */
export async function updateWorkflow(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: WorkflowForm,
  expected?: Expected,
): Promise<void> {
  const { kv } = deps;
  await transact(kv, async (op) => {
    const row = await workflowRows.update(kv, op, projectId, id, async (stored) => {
      requireVersion(stored, expected);
      const { notes = stored.notes, ...set } = form;
      const changed: WorkflowRow = {
        ...stored,
        ...set,
        survey_vars: storedSurvey(form.survey_vars, stored.survey_vars),
        ...withIds(form.steps, stored.steps, stored.next_step_id),
        notes,
        version: stored.version + 1,
        changed_by: userIdOf(actor),
      };
      await checkWorkflow(kv, op, changed);
      return changed;
    });
    recordEvent(op, deps, actor, workflowEvent(row, "updated"));
  });
}

/**
 * Deletes a workflow with its runs. The tasks of the runs belong to their templates, and stay. The
 * removal of many runs goes on after the answer.
 * Throws 409 while another workflow uses it, or while one of its runs is open. Throws 412 if the
 * stored workflow is not `expected`.
 */
export async function deleteWorkflow(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
  answerMs?: number,
): Promise<void> {
  const { kv } = deps;
  await transact(kv, async (op) => {
    await refuseOpenRuns(kv, op, projectId, id);
    const row = await workflowRows.remove(kv, op, projectId, id);
    requireVersion(row, expected);
    recordEvent(op, deps, actor, workflowEvent(row, "deleted"));
  });
  // The hourly sweep tries again.
  const failed = (error: unknown) =>
    deps.log("error", "workflow_runs_kept", { id, ...describeError(error) });
  await waitBriefly(deleteRunsOf(kv, projectId, id), failed, answerMs);
}

/** A workflow as the API returns it. */
function workflowView(row: WorkflowRow, lastRun?: RunView): WorkflowView {
  const { notes: _, changed_by: __, next_step_id: ___, ...shown } = row;
  return { ...shown, ...graphOf(row), last_run: lastRun ?? null };
}
