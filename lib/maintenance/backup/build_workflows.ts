import { storedAccessRule } from "../../access/rules/schema.ts";
import { conflict } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { storedSurvey } from "../../surveys/schema.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { validateBuild, validateValues } from "../../workflows/validation.ts";
import { validateSteps, withIds } from "../../workflows/definition.ts";
import { WORKFLOWS_MAX } from "../../workflows/limits.ts";
import { nestingValidator } from "../../workflows/nesting.ts";
import { workflowForm, type WorkflowRow } from "../../workflows/schema.ts";
import { accessRuleIn } from "./access_rules.ts";
import { type BuildContext, ownName, startParamsOf } from "./context.ts";
import { eachEntry } from "./entries.ts";
import { ruleOf } from "./people.ts";
import type { ReadBackup } from "./schema.ts";

type WorkflowEntry = NonNullable<ReadBackup["workflows"]>[number];
type StepEntry = NonNullable<WorkflowEntry["steps"]>[number];

/** Builds the workflows of a file, of our steps or of the nodes and edges of Semaphore. */
export async function buildWorkflows(
  { workflows }: ReadBackup,
  context: BuildContext,
  templates: readonly TemplateRow[],
): Promise<WorkflowRow[]> {
  const entries = workflows ?? [];
  const each = <Made>(make: (entry: WorkflowEntry, at: number) => Made) =>
    eachEntry(context.failures, "workflows", entries, ({ name }) => name, make);
  const rows = await each((entry, at) => {
    if (at >= WORKFLOWS_MAX) throw conflict("errors.workflows.full", { max: WORKFLOWS_MAX });
    return buildWorkflow(entry, context.idOf("workflows", at), context);
  });
  const surveys = {
    template: new Map(templates.map(({ id, survey_vars }) => [id, survey_vars])),
    workflow: new Map(rows.map(({ id, survey_vars }) => [id, survey_vars])),
  };
  const validateNesting = nestingValidator(rows);
  await each((_, at) => {
    const row = rows[at];
    validateBuild(templates.find(({ id }) => id === row.build_template_id));
    validateValues(
      row,
      row.steps.map((step) =>
        (step.kind === "template"
          ? surveys.template.get(step.template_id)
          : step.kind === "workflow"
          ? surveys.workflow.get(step.workflow_id)
          : null) ?? []
      ),
    );
    validateNesting(row);
  });
  return rows;
}

function buildWorkflow(entry: WorkflowEntry, id: number, context: BuildContext): WorkflowRow {
  const { steps: sent, notes, visible_to, run_by, edit_by, ...form } = parseWith(workflowForm, {
    ...entry,
    ...accessRuleIn(entry, context.people),
    name: ownName(entry),
    build_template_id: context.refer("templates", "build_template", entry.build_template),
    steps: entry.steps?.map((step, n) => ({ ...step, ...idsOf(step, `steps.${n}`, context) })),
    nodes: entry.nodes?.map((node, n) => {
      if (node.kind === "note") return node;
      const { params, ...ids } = idsOf(node, `nodes.${n}`, context);
      return { ...node, ...ids, task_params: params, inventory_id: null };
    }),
  });
  // Messages of approvals and annotations name steps by their ids, so ids are kept.
  const known = sent.filter(({ id }) => id > 0);
  const next = 1 + Math.max(0, ...known.map(({ id }) => id));
  const survey_vars = storedSurvey(form.survey_vars);
  const { steps, next_step_id } = withIds(sent, known, next);
  validateSteps(steps, survey_vars);
  return {
    id,
    project_id: context.projectId,
    ...form,
    ...storedAccessRule({ visible_to, run_by, edit_by }, {}),
    build_template_id: form.build_template_id || null,
    survey_vars,
    steps,
    next_step_id,
    notes: notes ?? entry.notes ?? [],
    version: 1,
    changed_by: null,
  };
}

/** The references of a step by id. */
function idsOf(step: StepEntry, path: string, { refer, people }: BuildContext) {
  return {
    template_id: refer("templates", `${path}.template`, step.template),
    workflow_id: refer("workflows", `${path}.workflow`, step.workflow),
    params: startParamsOf(step, refer, `${path}.inventory`),
    approval: step.approval && ruleOf(step.approval, people),
  };
}
