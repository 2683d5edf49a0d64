import type { TemplateView } from "@/lib/templates/schema.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import { type FormErrors, formValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import type { Step, ValueMapping } from "@/lib/workflows/schema.ts";
import { paramsOf, shownParams } from "../schedules/values.ts";

/** Returns the values of a step for its form. Null stands for a new step. */
export function stepValues(step: Step | null): FormValues {
  if (!step) return { starts: "previous", join: "all", needed: "1", on_timeout: "rejected" };
  const { name, after, join } = step;
  const links = Object.fromEntries((after ?? []).map(({ step, when }) => [step, when]));
  const starts = after === null ? "previous" : after.length === 0 ? "first" : "chosen";
  const own = step.kind === "template"
    ? { ...shownParams(step.params ?? {}), values: shownMappings(step.values) }
    : step.kind === "workflow"
    ? { workflow_id: step.workflow_id, values: shownMappings(step.values) }
    : step.kind === "wait"
    ? { minutes: step.minutes }
    : step.approval;
  return formValues({ ...own, name, starts, join, links });
}

const shownMappings = (values: readonly ValueMapping[]): object =>
  Object.fromEntries(
    values.map(({ var: variable, from }) => [
      variable,
      "answer" in from
        ? { from: `answer:${from.answer}` }
        : { from: `step:${from.step}`, name: from.name },
    ]),
  );

interface StepContext {
  kind: Step["kind"];
  template: TemplateView | null;
  /** Questions of the step's template or workflow. */
  survey: readonly SurveyVar[];
  /** Ids of the other steps. */
  others: readonly number[];
  /** The stored step; null for a new one. */
  current: Step | null;
}

/** Converts a step's form to the API's input. */
export function stepInput(values: FormValues, context: StepContext): object {
  const { kind, template, current } = context;
  const base = {
    id: current?.id,
    kind,
    name: values.name || template?.name || "",
    after: afterOf(values, context.others),
    join: values.join || "all",
  };
  const number = (name: string) => Number(values[name]) || null;
  switch (kind) {
    case "template": {
      const stored = current?.kind === "template" ? current.params ?? {} : {};
      return {
        ...base,
        template_id: template?.id,
        params: template && paramsOf(values, template, stored),
        values: mappingsOf(values, context.survey),
      };
    }
    case "workflow":
      return {
        ...base,
        workflow_id: number("workflow_id"),
        values: mappingsOf(values, context.survey),
      };
    case "wait":
      return { ...base, minutes: number("minutes") };
    case "approval":
      return {
        ...base,
        approval: {
          roles: listOf(values, "roles"),
          user_ids: listOf(values, "user_ids").map(Number),
          needed: number("needed"),
          not_starter: Boolean(values.not_starter),
          not_editor: Boolean(values.not_editor),
          timeout_minutes: number("timeout_minutes"),
          on_timeout: values.on_timeout || "rejected",
          message: values.message ?? "",
        },
      };
  }
}

/** Returns the links of a step; null for the step above. */
function afterOf(values: FormValues, others: readonly number[]): object[] | null {
  if (values.starts === "first") return [];
  if (values.starts !== "chosen") return null;
  return others.flatMap((id) => {
    const when = values[`links.${id}`] ?? "";
    return when === "" ? [] : [{ step: id, when }];
  });
}

/** Returns the answers that come from elsewhere. An output is usually named like its variable. */
const mappingsOf = (values: FormValues, survey: readonly SurveyVar[]): object[] =>
  survey.flatMap(({ name }) => {
    const [, kind, source] = /^(answer|step):(.+)$/.exec(values[`values.${name}.from`] ?? "") ?? [];
    if (!kind) return [];
    const output = values[`values.${name}.name`]?.trim() || name;
    const from = kind === "answer" ? { answer: source } : { step: Number(source), name: output };
    return [{ var: name, from }];
  });

/** Returns the values of a list that was sent as ticked boxes. */
const listOf = (values: FormValues, name: string): string[] =>
  Object.entries(values)
    .filter(([field]) =>
      field === name || /^\.\d+$/.test(field.slice(name.length)) &&
        field.startsWith(name)
    )
    .map(([, value]) => value);

/** Moves errors of the workflow's step at `position` to the fields of its form. */
export function stepErrors(
  errors: FormErrors,
  position: number,
  survey: readonly SurveyVar[],
): FormErrors {
  const own = `steps.${position}.`;
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => {
      if (!field.startsWith(own)) return ["", message];
      const [member, ...rest] = field.slice(own.length).split(".");
      if (member === "params") return [rest[0] ?? "", message];
      if (member === "approval") return [rest[0] ?? "", message];
      if (member === "after") return ["starts", message];
      if (member === "values") return [`values.${survey[Number(rest[0])]?.name}.from`, message];
      return [member, message];
    }),
  );
}
