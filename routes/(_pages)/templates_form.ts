import { z } from "zod";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { rowNumbers, withRows } from "@/lib/web/forms/rows.ts";
import { flagField, optionalIdField, toldAtOnce } from "@/lib/base/fields.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { templateForm, type TemplateView } from "@/lib/templates/schema.ts";
import { partsFormObject } from "./template_params.ts";
import { answerType } from "@/lib/templates/survey_answer.ts";

const CHOICES = /^(survey_vars\.\d{1,3})\.choices$/;

/** What the form asks for; only clients of the API may leave out what a run needs. */
export const templatePageForm = templateForm.safeExtend({
  /** Of the template's one schedule, which the API has on its own. */
  cron_format: z.string().trim().max(200, "errors.too_long").default(""),
  cron_repository_id: optionalIdField,
  /** The opposite of a switch that is on where it was never said. */
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
}, toldAtOnce);

export type TemplatePageForm = z.output<typeof templatePageForm>;

/** A template's fields as its form shows them: the choices of a question as lines of one text. */
export function templateFormObject(template: TemplateView, schedule?: ScheduleView): object {
  const { last_task: _last, vault_key_id: _key, environment_ids: _ids, ...fields } = template;
  return {
    ...fields,
    ...partsFormObject(template),
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

/** What the template's schema wants of a form: each line of choices a name and a value. */
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

/** What is wrong with a choice is shown at the text that holds them all. */
export function foldChoiceErrors(errors: FormErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field.replace(/^(survey_vars\.\d+)\.values.*$/, "$1.choices"),
      message,
    ]),
  );
}

/** What the form shows after a button that adds or removes a row; null where it was another one. */
export function withOtherRows(
  { question = "", vault = "", ...values }: FormValues,
): FormValues | null {
  if (vault !== "") {
    // The first row is shown before anything was said of it.
    const none = rowNumbers(values, "vaults").length === 0;
    return withRows(none ? { ...values, "vaults.0.name": "" } : values, "vaults", vault, "name");
  }
  return question === "" ? null : withRows(values, "survey_vars", question, "name");
}
