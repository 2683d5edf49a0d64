import { type FormErrors, formValues } from "@/lib/web/forms/form.ts";
import { parseJsonObject } from "@/lib/base/fields.ts";
import type * as z from "zod";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { answerName, answersIn } from "@/lib/surveys/answer_fields.ts";
import type { RetriedHosts, retryForm } from "@/lib/tasks/retry_form.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { StartTaskInput } from "@/lib/tasks/start_form.ts";

/** Converts the form of a task to the API's input. */
export function startInput(template: TemplateView, values: FormValues): StartTaskInput {
  const ticked = (name: string) => (values[name] ?? "") !== "";
  return {
    template_id: template.id,
    build_task_id: Number(values.build_task_id ?? 0) || null,
    message: values.message,
    environment: answersIn(template.survey_vars, values, "open"),
    secret: answersIn(template.survey_vars, values, "secret"),
    arguments: values.arguments,
    limit: values.limit,
    tags: values.tags,
    skip_tags: values.skip_tags,
    skip_galaxy_install: values.skip_galaxy_install ? values.skip_galaxy_install === "true" : null,
    force_galaxy_install: ticked("force_galaxy_install"),
    inventory_id: Number(values.inventory_id ?? 0) || null,
    git_branch: values.git_branch,
    debug: ticked("debug"),
    dry_run: ticked("dry_run"),
    diff: ticked("diff"),
    ...personalInput(values),
  };
}

/** The key and the passwords of the starter. */
const personalInput = (
  { own_key_id = "", ssh_password, become_password, vault_password }: FormValues,
) => ({
  own_key_id: Number(own_key_id) || null,
  ssh_password,
  become_password,
  vault_password,
});

/** Sentences that name the question, with their versions for use next to the question's title. */
const AT_FIELD: Partial<Record<string, string>> = {
  "errors.survey_required": "errors.required",
  "errors.survey_text": "errors.text_or_number",
  "errors.survey_integer": "errors.integer",
  "errors.survey_option": "errors.no_option",
  "errors.survey_choice": "errors.one_of_choices",
  "errors.survey_list": "errors.one_of_choices",
  "errors.survey_unavailable": "errors.choices_unavailable",
};

/**
 * Returns the form of a task with the values of `task`, except secret answers, which must be typed
 * again.
 */
export function againValues(task: TaskView): FormValues {
  const { message, build_task_id, debug, dry_run, diff, arguments: args, params } = task;
  const { inventory_id, git_branch, limit } = task;
  return formValues({
    ...{ message, build_task_id, debug, dry_run, diff, arguments: args, inventory_id, git_branch },
    limit,
    tags: params.tags.join(","),
    skip_tags: params.skip_tags.join(","),
    skip_galaxy_install: choiceText(params.skip_galaxy_install),
    answers: parseJsonObject(task.environment) ?? {},
  });
}

/** Returns the value of a field for a choice between yes, no and neither. */
export const choiceText = (value: boolean | null): string => value === null ? "" : String(value);

/** Moves errors of an answer to its field. */
export function answerErrors(
  { survey_vars }: Pick<TemplateView, "survey_vars">,
  errors: FormErrors,
): FormErrors {
  const asked = new Set(survey_vars.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(errors).map(([field, { key, params }]) =>
      asked.has(field)
        ? [answerName(field), { key: AT_FIELD[key] ?? key, params }]
        : [field, { key, params }]
    ),
  );
}

/** Converts the form of a retry to the API's input. Only secret answers are asked again. */
export const retryInput = (values: FormValues): z.input<typeof retryForm> => ({
  hosts: values.hosts as RetriedHosts | undefined,
  commit: values.commit as "same" | undefined,
  start_at_failed: (values.start_at_failed ?? "") !== "",
  message: values.message,
  ...personalInput(values),
  secret: Object.fromEntries(
    Object.entries(values).filter(([name]) => name.startsWith(answerName("")))
      .map(([name, value]) => [name.slice(answerName("").length), value]),
  ),
});
