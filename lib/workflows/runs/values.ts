import type { Deps } from "../../access/deps.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { parseExact, scalarText } from "../../base/text/exact_json.ts";
import { reveal } from "../../base/secret.ts";
import { isOwnVariable } from "../../execution/ansible/own_variable.ts";
import type { SurveyVar } from "../../surveys/schema.ts";
import { outputsOf } from "../../tasks/outputs.ts";
import { labelOf } from "../definition.ts";
import type { RunRow } from "../run_schema.ts";
import type { Definition, ValueMapping } from "../schema.ts";
import { readRunSecrets } from "./repository.ts";
import type { Store } from "../../store/store.ts";

/** Answers for the start of a step. Values are texts, and never templates. */
interface StepAnswers {
  open: Record<string, unknown>;
  secret: Record<string, string>;
}

/** Returns the values that the task of a step has reported. Only successful steps have some. */
export async function stepValues(
  kv: Store,
  run: RunRow,
  stepId: number,
): Promise<ReadonlyMap<string, string>> {
  const { state, task_id } = run.steps[stepId] ?? {};
  if (state !== "success" || task_id === undefined) return new Map();
  return await outputsOf(kv, run.project_id, task_id);
}

/**
 * Returns the answers that a step takes from earlier steps and from the answers of the run. Whether
 * they fit the survey is checked when the task starts.
 */
export async function mappedAnswers(
  { kv, secrets }: Pick<Deps, "kv" | "secrets">,
  run: RunRow,
  mappings: readonly ValueMapping[],
  survey: readonly SurveyVar[],
): Promise<StepAnswers> {
  const answers: StepAnswers = { open: {}, secret: {} };
  if (mappings.length === 0) return answers;
  const sealed = run.has_secrets ? await readRunSecrets(kv, run) : new Uint8Array();
  const hidden = sealed.length === 0
    ? {}
    : JSON.parse(reveal(await secrets.open(sealed), "parse")) as Record<string, string>;
  const given = new Map(Object.entries({ ...parseExact(run.environment) as object, ...hidden }));
  for (const { var: name, from } of mappings) {
    const value = "answer" in from
      ? given.get(from.answer)
      : (await stepValues(kv, run, from.step)).get(from.name);
    if (value === undefined) continue;
    const question = survey.find((question) => question.name === name);
    if (!question) throw unfit(name, { key: "errors.workflows.no_question", params: { name } });
    // The caller of a webhook may have sent it.
    if (isOwnVariable(name) && "answer" in from && run.started_by?.kind === "integration") {
      throw unfit(name, { key: "errors.own_variable", params: { name } });
    }
    // No one who manages the project has set it: see validateAnswers.
    if (isOwnVariable(name) && [value].flat().some((part) => /^\s*-/.test(scalarText(part)))) {
      throw unfit(name, { key: "errors.survey_option", params: { title: question.title } });
    }
    const isSecret = "answer" in from && Object.hasOwn(hidden, from.answer);
    if (isSecret && question.type !== "secret") {
      throw unfit(name, { key: "errors.workflows.secret_answer", params: { name } });
    }
    if (question.type === "secret") answers.secret[name] = scalarText(value);
    else answers.open[name] = value;
  }
  return answers;
}

/**
 * Returns the error of a step that could not start, with the name of the variable if the value that
 * it took does not fit.
 */
export function namingValue(
  error: unknown,
  mappings: readonly ValueMapping[],
  { open, secret }: StepAnswers,
  { steps }: Definition,
): unknown {
  if (!(error instanceof AppError)) return error;
  const fields = error.details.fields ?? {};
  const mapping = mappings.find(({ var: name }) => Object.hasOwn(fields, name));
  if (!mapping) return error;
  const { var: name, from } = mapping;
  if ("answer" in from || name in open || name in secret) return unfit(name, fields[name]);
  const step = labelOf(steps.find(({ id }) => id === from.step)!);
  return new AppError(400, "errors.workflows.value_missing", { name, step, value: from.name });
}

const unfit = (name: string, reason: Sentence) =>
  new AppError(400, "errors.workflows.value", { name, reason });
