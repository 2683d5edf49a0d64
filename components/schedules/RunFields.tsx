import { OverrideFields, overrideLabels } from "@/components/tasks/OverrideFields.tsx";
import { Answer, answerLabels } from "@/components/tasks/StartTaskForm.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Checkbox, namedOptions, Select } from "@/components/ui/Choice.tsx";
import { Field } from "@/components/ui/Field.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { allowancesOf } from "@/lib/queue/overrides.ts";

interface RunFieldsProps {
  ui: Ui;
  form: FormState;
  template: TemplateView;
  inventories: { id: number; name: string }[];
  /** Builds that a deploy can use, latest first. */
  builds: TaskView[];
}

/** Values that a schedule's tasks start with, as in the dialog that starts a task. */
export function RunFields({ ui, form, template, inventories, builds }: RunFieldsProps) {
  const common = { ui, form };
  const survey = template.survey_vars;
  const secrets = survey.filter(({ type }) => type === "secret");
  const allowed = allowancesOf(template);
  return (
    <fieldset class="grid grid-cols-1 gap-4">
      <legend>{ui.t("schedules.each_run")}</legend>
      {secrets.some(({ required }) => required) && (
        <Alert kind="warning">
          {ui.t("schedules.secret_asked", { title: ui.list(secrets.map(({ title }) => title)) })}
        </Alert>
      )}
      {template.type === "deploy" && (
        <Select
          {...common}
          name="build_task_id"
          label={ui.t("start_task.build_version")}
          blank={ui.t("schedules.newest_build")}
          options={builds.map(({ id, version, message }) => ({
            value: id,
            label: [version ?? `#${id}`, message].filter(Boolean).join(" — "),
          }))}
        />
      )}
      <Field {...common} name="message" label={ui.t("start_task.message")} maxLength={1000} />
      {survey.filter(({ type }) => type !== "secret").map((question, n) => (
        <Answer key={n} {...common} question={question} />
      ))}
      <OverrideFields {...common} template={template} inventories={namedOptions(ui, inventories)} />
      {(allowed.arguments || form.values.arguments) && (
        <Field
          {...common}
          name="arguments"
          label={ui.t("templates.arguments")}
          placeholder='["--forks", "20"]'
          autocomplete="off"
        />
      )}
      <div class="grid grid-cols-2 gap-2">
        {allowed.debug && (
          <Checkbox {...common} name="debug" label={ui.t("start_task.debug")} hint="-vvvv" />
        )}
        <Checkbox {...common} name="dry_run" label={ui.t("start_task.dry_run")} hint="--check" />
        <Checkbox {...common} name="diff" label={ui.t("start_task.diff")} hint="--diff" />
      </div>
    </fieldset>
  );
}

/** Labels of those fields, for the list of errors. */
export const runLabels = (ui: Ui, template: TemplateView | null): Record<string, string> => ({
  message: ui.t("start_task.message"),
  build_task_id: ui.t("start_task.build_version"),
  ...overrideLabels(ui),
  ...answerLabels(template?.survey_vars ?? []),
});
