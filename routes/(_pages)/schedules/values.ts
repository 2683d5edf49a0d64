import { choiceText, startInput } from "../tasks/form.ts";
import { parseJsonObject } from "@/lib/base/fields.ts";
import { startTaskFields, startTaskForm } from "@/lib/tasks/start_form.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { answersIn } from "@/lib/surveys/answer_fields.ts";
import { chosenTarget, chosenValue } from "@/lib/triggers/trigger_target.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { localTime, momentOf, zonedPattern } from "@/lib/triggers/schedules/zone.ts";
import { type FormErrors, formValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

type Params = Record<string, unknown>;

/** Returns the values of a schedule for its form. */
export function scheduleValues(schedule: ScheduleView): FormValues {
  const { task_params, run_at, cron_format, ...fields } = schedule;
  const { zone } = zonedPattern("", schedule.timezone);
  return formValues({
    ...shownParams(task_params ?? {}),
    template_id: chosenValue(fields),
    name: fields.name,
    type: fields.type,
    cron_format,
    timezone: fields.timezone,
    offset_days: fields.offset_days || null,
    run_at: run_at && localTime(run_at, zone),
    delete_after_run: fields.delete_after_run,
    active: fields.active,
    repository_id: fields.repository_id,
    missed: fields.missed,
    if_waiting: fields.if_waiting,
    check: fields.check,
  });
}

/**
 * Returns the parameters of tasks by the names of the form's fields, in whichever format they were
 * sent.
 */
export function shownParams(params: Params): object {
  const { success, data } = startTaskForm.safeParse({ ...params, template_id: 1 });
  if (!success) return {};
  const { message, arguments: args, inventory_id, git_branch, build_task_id } = data;
  return {
    ...{ message, arguments: args && args.text, inventory_id, git_branch, build_task_id },
    limit: data.limit.join(","),
    tags: data.tags.join(","),
    skip_tags: data.skip_tags.join(","),
    skip_galaxy_install: choiceText(data.skip_galaxy_install),
    force_galaxy_install: data.force_galaxy_install,
    debug: data.debug,
    dry_run: data.dry_run,
    diff: data.diff,
    answers: data.environment,
  };
}

/** The template that a schedule starts, or else the workflow. Both are null for none. */
export interface ScheduledTarget {
  template: TemplateView | null;
  workflow: WorkflowView | null;
}

/** Converts a schedule's form to the API's input. Members without a field stay as in `current`. */
export function scheduleInput(
  values: FormValues,
  { template, workflow }: ScheduledTarget,
  current: ScheduleView | null,
): Params {
  const ticked = (name: string) => (values[name] ?? "") !== "";
  const { type = "", timezone = "", run_at = "" } = values;
  const { zone } = zonedPattern("", timezone);
  const isSame = current !== null && current.template_id === (template?.id ?? null);
  const stored = isSame ? current.task_params ?? {} : {};
  return {
    ...chosenTarget(values.template_id),
    name: values.name ?? "",
    type,
    cron_format: type === "run_at" ? "" : values.cron_format,
    timezone,
    offset_days: type === "run_at" ? 0 : daysIn(values),
    run_at: type === "run_at" ? momentOf(run_at, zone) ?? run_at : null,
    delete_after_run: ticked("delete_after_run"),
    active: ticked("active"),
    repository_id: Number(values.repository_id) || null,
    missed: values.missed || "skip",
    if_waiting: values.if_waiting || "all",
    check: template !== null && ticked("check"),
    task_params: template
      ? paramsOf(values, template, stored)
      : workflow && runParamsOf(values, workflow),
  };
}

/** Returns the days in a form; a text that is no number is refused as it is. */
export const daysIn = ({ offset_days = "" }: FormValues): number =>
  Number(offset_days.replace("−", "-") || 0);

/** Returns the parameters of runs of a workflow; null for none. */
function runParamsOf(values: FormValues, { survey_vars }: WorkflowView): Params | null {
  const answers = Object.entries(answersIn(survey_vars, values, "open"))
    .filter(([, value]) => Boolean(value));
  const params: Params = {
    ...values.message && { message: values.message },
    ...answers.length > 0 && { environment: JSON.stringify(Object.fromEntries(answers)) },
  };
  return Object.keys(params).length === 0 ? null : params;
}

/** Members with a field in the form, apart from `params`, where clients send some of them. */
const SHOWN = Object.keys(startTaskFields.shape).filter((name) => name !== "commit_hash");

/** Returns the parameters of tasks; null if they add nothing to the template. */
export function paramsOf(
  values: FormValues,
  template: TemplateView,
  stored: Params,
): Params | null {
  const { template_id: _id, secret: _secret, environment, ...run } = startInput(template, values);
  const asked = new Set(template.survey_vars.map(({ name }) => name));
  // "No" replaces the template's "yes".
  const isSaid = ([name, value]: [string, unknown]) =>
    Boolean(value) || name === "skip_galaxy_install" && value === false;
  const kept = Object.entries(stored).filter(([name]) => !SHOWN.includes(name));
  const variables = Object.fromEntries([
    // A blank field means the default, unless a client of the API has sent an empty answer.
    ...Object.entries(variablesOf(stored)).filter(([name, value]) =>
      !asked.has(name) || value === ""
    ),
    ...Object.entries(environment as Params).filter(isSaid),
  ]);
  const params: Params = Object.fromEntries([...kept, ...Object.entries(run).filter(isSaid)]);
  if (Object.keys(variables).length > 0) params.environment = JSON.stringify(variables);
  return Object.keys(params).length === 0 ? null : params;
}

/** Returns the variables of tasks. Clients send them as an object or as its JSON. */
const variablesOf = ({ environment }: Params): Params =>
  typeof environment === "string"
    ? parseJsonObject(environment) ?? {}
    : environment as Params | null ?? {};

/** Moves errors of the parameters to the form's fields. */
export const paramErrors = (errors: FormErrors): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field.startsWith("task_params.") ? field.split(".")[1] : field,
      message,
    ]),
  );
