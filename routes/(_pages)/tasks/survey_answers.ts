import { RELOAD } from "@/components/surveys/SurveyAnswers.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { loadFormChoices, type TaskContext } from "@/lib/queue/inputs/survey_context.ts";
import { answersIn } from "@/lib/surveys/answer_fields.ts";
import { answerType } from "@/lib/surveys/answer_types.ts";
import {
  type AskedQuestion,
  askedQuestions,
  type ChoiceLists,
  hasSource,
} from "@/lib/surveys/choices.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import { loadRunChoices } from "@/lib/workflows/runs/answers.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/** Returns the values of a form that decide where choices come from. */
export const taskContext = ({ inventory_id, git_branch }: FormValues): TaskContext => ({
  inventory_id: Number(inventory_id ?? 0) || null,
  git_branch: git_branch || null,
  commit_hash: null,
});

/**
 * Returns the questions that a form asks with the answers in it. `button` is the value of the
 * pressed button, one of which loads the choices again.
 */
export async function askedInForm(
  scope: ProjectScope,
  template: TemplateView,
  values: FormValues,
  button: string | undefined,
): Promise<AskedQuestion[]> {
  const freshness = button === RELOAD ? "reload" : "form";
  const lists = await loadFormChoices(scope, template.id, taskContext(values), freshness);
  return askedWith(template.survey_vars, lists, values);
}

/** Returns the questions that the form of a workflow's run asks with the answers in it. */
export async function askedByWorkflow(
  scope: ProjectScope,
  { id, survey_vars }: Pick<WorkflowView, "id" | "survey_vars">,
  values: FormValues,
  button?: string,
): Promise<AskedQuestion[]> {
  const freshness = button === RELOAD ? "reload" : "form";
  const lists = survey_vars.some(hasSource)
    ? await loadRunChoices(scope, id, freshness)
    : new Map();
  return askedWith(survey_vars, lists, values);
}

function askedWith(
  survey: readonly SurveyVar[],
  lists: ChoiceLists,
  values: FormValues,
): AskedQuestion[] {
  const given = {
    ...answersIn(survey, values, "open"),
    ...answersIn(survey, values, "secret"),
  };
  while (true) {
    const asked = askedQuestions(survey, lists, given);
    const filled = asked.find(hasOnlyChoice);
    if (!filled) return asked;
    given[filled.question.name] = filled.choices![0].value;
  }
}

/** Whether the form fills in the only choice of a question, which may decide about others. */
const hasOnlyChoice = ({ question: { type, required }, choices, value }: AskedQuestion): boolean =>
  value === undefined && required && answerType(type) !== "select" && choices?.length === 1;
