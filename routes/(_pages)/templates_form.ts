import * as z from "zod";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { rowNumbers, withRows } from "@/lib/web/forms/rows.ts";
import { evenIfFieldsFail, flagField, optionalIdField } from "@/lib/base/fields.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { templateForm, type TemplateView } from "@/lib/templates/schema.ts";
import { partsFormObject } from "./template_params.ts";
import { spacedLabels } from "@/lib/base/labels.ts";
import { answerType } from "@/lib/templates/survey.ts";

const CHOICES = /^(survey_vars\.\d{1,3})\.choices$/;

/**
 * Schema of the page's form. Only the API accepts templates without the values that a task
 * requires.
 */
export const templatePageForm = templateForm.safeExtend({
  /** Fields of the template's only schedule, which is a separate resource in the API. */
  cron_format: z.string().trim().max(200, "errors.too_long").default(""),
  cron_repository_id: optionalIdField,
  /** Inverse of a setting that is on by default. */
  refuse_debug: flagField,
}).superRefine(({ type, environment_id, start_version, build_template_id, vaults }, ctx) => {
  const missing = (...path: (string | number)[]) =>
    ctx.addIssue({ code: "custom", path, message: "errors.required" });
  if (!environment_id) missing("environment_id");
  if (type === "build" && !start_version) missing("start_version");
  if (type === "deploy" && !build_template_id) missing("build_template_id");
  for (const [n, { vault_key_id }] of vaults?.entries() ?? []) {
    if (vault_key_id === null) missing("vaults", n, "vault_key_id");
  }
}, evenIfFieldsFail);

export type TemplatePageForm = z.output<typeof templatePageForm>;

/**
 * Returns a template's values for its form, with the choices of a question as lines of one text.
 */
export function templateFormObject(template: TemplateView, schedule?: ScheduleView): object {
  const { last_task: _last, vault_key_id: _key, environment_ids: _ids, ...fields } = template;
  return {
    ...fields,
    ...partsFormObject(template),
    runner_tag: spacedLabels(template.runner_tag),
    cron_format: schedule?.cron_format,
    cron_repository_id: schedule?.repository_id,
    survey_vars: template.survey_vars.map(({ values, type, ...question }) => ({
      ...question,
      type: answerType(type),
      choices: values.map(({ name, value }) => name === value ? value : `${name} = ${value}`)
        .join("\n"),
    })),
  };
}

/**
 * Converts the form's values for the template's schema. Each line of choices becomes a name and a
 * value.
 */
export function unfoldChoices(values: FormValues): FormValues {
  const unfolded: FormValues = {};
  for (const [field, text] of Object.entries(values)) {
    const match = CHOICES.exec(field);
    if (!match) {
      unfolded[field] = text;
      continue;
    }
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    lines.forEach((line, n) => {
      const [name, value = name] = line.split(/(?<!\s)\s*=\s*(.*)/s);
      unfolded[`${match[1]}.values.${n}.name`] = name;
      unfolded[`${match[1]}.values.${n}.value`] = value;
    });
  }
  return unfolded;
}

/** Moves errors of a choice to the text that contains all choices. */
export function foldChoiceErrors(errors: FormErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field.replace(/^(survey_vars\.\d+)\.values.*$/, "$1.choices"),
      message,
    ]),
  );
}

/**
 * Returns the form after a button that adds or removes a row; null if another button was pressed.
 */
export function withOtherRows(
  { question = "", vault = "", ...values }: FormValues,
): FormValues | null {
  if (vault !== "") {
    // The first row is shown even if no vault was entered.
    const none = rowNumbers(values, "vaults").length === 0;
    return withRows(none ? { ...values, "vaults.0.name": "" } : values, "vaults", vault, "name");
  }
  return question === "" ? null : withRows(values, "survey_vars", question, "name");
}
