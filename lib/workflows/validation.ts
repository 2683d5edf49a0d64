import { conflict, invalidField, type Sentence } from "../base/errors.ts";
import type { Ref } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { requireUnattended } from "../queue/inputs/personal.ts";
import { readTargets } from "../references/service.ts";
import { chosenInventory } from "../tasks/start_params.ts";
import { templateRows } from "../templates/repository.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { isOfInventory } from "../surveys/choices.ts";
import type { SurveyVar } from "../surveys/schema.ts";
import { refuse, validateSteps } from "./definition.ts";
import { WORKFLOWS_MAX } from "./limits.ts";
import { validateNesting } from "./nesting.ts";
import { workflowRows } from "./repository.ts";
import type { NestedStep, Step, TemplateStep, WorkflowRow } from "./schema.ts";

/**
 * Throws 400 or 404 for steps that cannot be run. Checks in `op` that everything that they refer to
 * stays as it is until the commit.
 */
export async function validateWorkflow(kv: Store, op: Atomic, row: WorkflowRow) {
  validateSurvey(row.survey_vars);
  validateSteps(row.steps, row.survey_vars);
  const targets = await readTargets(kv, op, row.project_id, wantedBy(row));
  validateBuild(targets.get("build_template_id") as TemplateRow | undefined);
  await validatePersonal(kv, row);
  await validateVariables(kv, row);
  // Read after the guard of the targets, which each change of a workflow moves.
  const all = await workflowRows.list(kv, row.project_id);
  if (all.length >= WORKFLOWS_MAX && !all.some(({ id }) => id === row.id)) {
    throw conflict("errors.workflows.full", { max: WORKFLOWS_MAX });
  }
  validateNesting(row, all);
}

/** Throws 400 for questions whose choices only a template knows: it has a repository and hosts. */
function validateSurvey(survey: readonly SurveyVar[]): void {
  const fields: Record<string, Sentence> = {};
  for (const [n, question] of survey.entries()) {
    const source = question.choices_from?.source;
    const field = source === "file" || source === "hosts" || source === "groups"
      ? "choices_from.source"
      : isOfInventory(question)
      ? "type"
      : null;
    if (field) fields[`survey_vars.${n}.${field}`] = { key: "errors.workflows.survey_source" };
  }
  refuse(fields);
}

/** The references of a workflow by the fields of its form. */
function wantedBy({ steps, build_template_id }: WorkflowRow): Record<string, Ref | null> {
  const wanted: Record<string, Ref | null> = {
    build_template_id: build_template_id ? ["templates", build_template_id] : null,
  };
  for (const [n, step] of steps.entries()) {
    if (step.kind === "template") {
      wanted[`steps.${n}.template_id`] = ["templates", step.template_id];
      const inventoryId = chosenInventory(step.params);
      wanted[`steps.${n}.params.inventory_id`] = inventoryId === null
        ? null
        : ["inventories", inventoryId];
    } else if (step.kind === "workflow") {
      wanted[`steps.${n}.workflow_id`] = ["workflows", step.workflow_id];
    }
  }
  return wanted;
}

/** Throws 400 for a template that builds nothing. */
export function validateBuild(template: Pick<TemplateRow, "type"> | undefined): void {
  if (template && template.type !== "build") {
    throw invalidField("build_template_id", "errors.workflows.not_a_build");
  }
}

/** Throws 400 for steps whose tasks only people can start. */
async function validatePersonal(kv: Store, { project_id, steps }: WorkflowRow): Promise<void> {
  for (const [n, step] of steps.entries()) {
    if (step.kind !== "template") continue;
    await requireUnattended(kv, project_id, step.template_id, {
      inventoryId: chosenInventory(step.params),
      field: `steps.${n}.template_id`,
    });
  }
}

async function validateVariables(kv: Store, row: WorkflowRow) {
  const surveys: SurveyVar[][] = [];
  for (const step of row.steps) {
    const target = !hasValues(step)
      ? null
      : step.kind === "template"
      ? await templateRows.get(kv, row.project_id, step.template_id)
      : await workflowRows.get(kv, row.project_id, step.workflow_id);
    surveys.push(target?.survey_vars ?? []);
  }
  validateValues(row, surveys);
}

const hasValues = (step: Step): step is TemplateStep | NestedStep =>
  "values" in step && step.values.length > 0;

/**
 * Throws 400 unless values go to questions of their step, given the survey of each step's target.
 * An answer that is secret may only go to a question that is secret, too.
 */
export function validateValues(
  { steps, survey_vars }: Pick<WorkflowRow, "steps" | "survey_vars">,
  surveys: readonly (readonly SurveyVar[])[],
): void {
  const fields: Record<string, Sentence> = {};
  for (const [n, step] of steps.entries()) {
    if (!hasValues(step)) continue;
    for (const [m, { var: name, from }] of step.values.entries()) {
      const question = surveys[n].find((question) => question.name === name);
      const key = !question
        ? "errors.workflows.no_question"
        : "answer" in from && isSecret(survey_vars, from.answer) && question.type !== "secret"
        ? "errors.workflows.secret_answer"
        : null;
      if (key) fields[`steps.${n}.values.${m}.var`] = { key, params: { name } };
    }
  }
  refuse(fields);
}

const isSecret = (survey: readonly SurveyVar[], name: string) =>
  survey.some((question) => question.name === name && question.type === "secret");
