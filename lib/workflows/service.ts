import { userIdOf } from "../access/actor.ts";
import { ruleChanged } from "../access/changed.ts";
import { grants } from "../access/permissions.ts";
import { accessRuleView, storedAccessRule } from "../access/rules/schema.ts";
import type { ProjectScope } from "../access/scope.ts";
import { requireMayEdit, requireSeen, seenOf, type Sight, sightOf } from "../access/sight.ts";
import { notFound } from "../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../base/version.ts";
import { waitBriefly } from "../base/time/abort.ts";
import { describeError } from "../base/log.ts";
import { recordChange } from "../events/record_change.ts";
import { nextId } from "../store/ids.ts";
import { rowKeys } from "../store/keys.ts";
import type { References } from "../store/references.ts";
import { transact } from "../store/transact.ts";
import { namingSeen } from "../references/seen.ts";
import type { Atomic, Store } from "../store/store.ts";
import { referencesTo } from "../references/service.ts";
import { requireAllowedUrls } from "../surveys/allowed_urls.ts";
import { withoutSecretUrls } from "../surveys/hide_urls.ts";
import { storedSurvey } from "../surveys/schema.ts";
import { requireStepRights } from "./step_rights.ts";
import { validateWorkflow } from "./validation.ts";
import { withIds } from "./definition.ts";
import { workflowEvent } from "./events.ts";
import { graphOf } from "./graph.ts";
import { workflowRows } from "./repository.ts";
import { approvalReasons } from "./runs/approval_reasons.ts";
import { findRun, listRunRows, readDefinition, refuseOpenRuns } from "./runs/repository.ts";
import { deleteRunsOf } from "./runs/stored_runs.ts";
import { shownStatuses } from "./runs/status.ts";
import { runView } from "./runs/view.ts";
import type { RunView } from "./run_schema.ts";
import type { WorkflowForm, WorkflowRow, WorkflowView } from "./schema.ts";
import { requireSeenSteps, requireSeenTargets, seenRun, seenSteps } from "./seen.ts";
import { runIndex } from "./runs/index_keys.ts";

/** The project's workflows by id, each with its latest run. */
export async function listWorkflows(scope: ProjectScope): Promise<WorkflowView[]> {
  const rows = await seenRows(scope);
  return await Promise.all(rows.map(async (row) => shownTo(scope, await withLastRun(scope, row))));
}

/** The names of the project's workflows by id. */
export const listWorkflowNames = async (
  scope: ProjectScope,
): Promise<ReadonlyMap<number, string>> =>
  new Map((await seenRows(scope)).map(({ id, name }) => [id, name]));

/** Returns the workflows that the actor sees. */
async function seenRows(scope: ProjectScope): Promise<WorkflowRow[]> {
  const [sight, rows] = await Promise.all([
    sightOf(scope),
    workflowRows.list(scope.deps.kv, scope.projectId),
  ]);
  return seenOf(rows, sight.hidden("workflows"));
}

export async function getWorkflow(scope: ProjectScope, id: number): Promise<WorkflowView> {
  const found = await findWorkflow(scope, id);
  if (!found) throw notFound();
  return found;
}

/** Returns a workflow with its latest run, or null if there is none. */
export async function findWorkflow(
  scope: ProjectScope,
  id: number,
): Promise<WorkflowView | null> {
  const [sight, found] = await Promise.all([
    sightOf(scope),
    workflowRows.find(scope.deps.kv, scope.projectId, id),
  ]);
  if (!sight.maySee("workflows", id)) return null;
  return found && versioned(shownTo(scope, await withLastRun(scope, found.row)), found.row);
}

const shownTo = ({ permissions }: ProjectScope, workflow: WorkflowView): WorkflowView =>
  grants(permissions, "manage_resources")
    ? workflow
    : { ...workflow, survey_vars: withoutSecretUrls(workflow.survey_vars) };

/**
 * Returns a workflow as the actor sees it, with its latest run, which mostly follows the steps that
 * it still has.
 */
async function withLastRun(scope: ProjectScope, row: WorkflowRow): Promise<WorkflowView> {
  const { kv } = scope.deps;
  const sight = await sightOf(scope);
  const run = await lastRunOf(kv, sight, row);
  const seen = seenRow(sight, row);
  if (!run) return workflowView(seen);
  const [followed, [status]] = await Promise.all([
    run.version === row.version ? row : readDefinition(kv, run),
    shownStatuses(kv, [run]),
  ]);
  const shown = { ...run, status };
  const [wait] = await approvalReasons(kv, [shown], [followed]);
  return workflowView(seen, seenRun(sight, runView(shown, followed, wait), followed));
}

/** Returns the latest run of a workflow that someone sees. */
async function lastRunOf(kv: Store, sight: Sight, { project_id, id }: WorkflowRow) {
  if (sight.seesAllTasks) return (await listRunRows(kv, project_id, id, { limit: 1 })).at(0);
  const index = runIndex(project_id, { workflowId: id, starter: sight.userId ?? -1 });
  const newest = kv.list({ prefix: index }, { limit: 1, reverse: true });
  const [runId] = await Array.fromAsync(newest, ({ key }) => key.at(-1) as number);
  return runId === undefined ? undefined : await findRun(kv, project_id, runId) ?? undefined;
}

const seenRow = (sight: Sight, row: WorkflowRow): WorkflowRow => ({
  ...row,
  steps: seenSteps(sight, row.steps),
  build_template_id: row.build_template_id && sight.maySee("templates", row.build_template_id)
    ? row.build_template_id
    : null,
});

/** The objects that use a workflow, by name. They prevent its deletion. */
export async function workflowReferences(scope: ProjectScope, id: number): Promise<References> {
  await requireSeen(scope, "workflows", id);
  return await referencesTo(scope, ["workflows", id]);
}

/** Creates a workflow. Everything that its steps refer to must be in the same project. */
export async function createWorkflow(
  scope: ProjectScope<"manage_resources">,
  form: WorkflowForm,
): Promise<WorkflowView> {
  const { deps, actor, projectId } = scope;
  requireSeenTargets(await sightOf(scope), form.steps);
  const id = await nextId(deps.kv, "workflows");
  const { notes = [], visible_to, run_by, edit_by, ...set } = form;
  const row: WorkflowRow = {
    id,
    project_id: projectId,
    ...set,
    ...storedAccessRule({ visible_to, run_by, edit_by }, {}),
    survey_vars: storedSurvey(form.survey_vars),
    build_template_id: form.build_template_id || null,
    ...withIds(form.steps, [], 1),
    notes,
    version: 1,
    changed_by: userIdOf(actor),
  };
  requireAllowedUrls(deps.config, row.survey_vars, []);
  await requireStepRights(scope, row, null);
  await transact(deps.kv, async (op) => {
    await validateWorkflow(deps.kv, op, row);
    await workflowRows.insert(deps.kv, op, row);
    await recordChange(op, deps, actor, workflowEvent(row, "created"), {
      before: null,
      after: row,
    });
  });
  return versioned(workflowView(row), row);
}

/**
 * Changes a workflow. Runs that have started go on as they began. Throws 403 if the actor does not
 * see what all of its steps run, and 412 if the stored workflow is not `expected`.
 */
export async function updateWorkflow(
  scope: ProjectScope<"manage_resources">,
  id: number,
  form: WorkflowForm,
  expected?: Expected,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireMayEdit(scope, "workflows", id);
  const sight = await sightOf(scope);
  const [before, after] = await transact(kv, async (op) => {
    let before: WorkflowRow | null = null;
    const row = await workflowRows.update(kv, op, projectId, id, async (stored) => {
      requireVersion(stored, expected);
      requireSeenSteps(sight, stored.steps);
      requireSeenTargets(sight, form.steps);
      before = stored;
      const { notes = stored.notes, visible_to, run_by, edit_by, ...set } = form;
      const changed: WorkflowRow = {
        ...withoutRule(stored),
        ...set,
        ...storedAccessRule({ visible_to, run_by, edit_by }, stored),
        survey_vars: storedSurvey(form.survey_vars, stored.survey_vars),
        build_template_id: form.build_template_id === undefined
          ? stored.build_template_id
          : form.build_template_id || null,
        ...withIds(form.steps, stored.steps, stored.next_step_id),
        notes,
        version: stored.version + 1,
        changed_by: userIdOf(actor),
      };
      requireAllowedUrls(deps.config, changed.survey_vars, stored.survey_vars);
      await requireStepRights(scope, changed, stored);
      await validateWorkflow(kv, op, changed);
      return changed;
    });
    await recordChange(op, deps, actor, workflowEvent(row, "updated"), { before, after: row });
    return [before!, row] as const;
  });
  await ruleChanged(deps, projectId, before, after);
}

const withoutRule = ({ visible_to: _, run_by: __, edit_by: ___, ...row }: WorkflowRow) => row;

/**
 * Deletes a workflow with its runs. The tasks of the runs belong to their templates, and stay. The
 * removal of many runs goes on after the answer.
 * Throws 409 while another workflow uses it, or while one of its runs is open. Throws 412 if the
 * stored workflow is not `expected`.
 */
export async function deleteWorkflow(
  scope: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
  answerMs?: number,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireMayEdit(scope, "workflows", id);
  const sight = await sightOf(scope);
  const attempt = async (op: Atomic) => {
    await refuseOpenRuns(kv, op, projectId, id);
    const row = await workflowRows.remove(kv, op, projectId, id);
    requireSeenSteps(sight, row.steps);
    op.delete(rowKeys.alertFailure(projectId, "workflow", id));
    requireVersion(row, expected);
    await recordChange(op, deps, actor, workflowEvent(row, "deleted"), {
      before: row,
      after: null,
    });
  };
  await namingSeen(scope, () => transact(kv, attempt));
  // The hourly sweep tries again.
  const failed = (error: unknown) =>
    deps.log("error", "workflow_runs_kept", { id, ...describeError(error) });
  await waitBriefly(deleteRunsOf(kv, projectId, id), failed, answerMs);
}

/** A workflow as the API returns it. */
function workflowView(row: WorkflowRow, lastRun?: RunView): WorkflowView {
  const { notes: _, changed_by: __, next_step_id: ___, ...shown } = row;
  return {
    ...shown,
    build_template_id: row.build_template_id,
    ...graphOf(row),
    ...accessRuleView(row),
    last_run: lastRun ?? null,
  };
}
