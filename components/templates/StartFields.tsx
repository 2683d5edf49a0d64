import { CodeField } from "@/components/editor/CodeField.tsx";
import { Checkbox, namedOptions } from "@/components/ui/Choice.tsx";
import { FormSection } from "@/components/ui/Form.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { PreviewFields } from "./PreviewFields.tsx";
import { ScheduleFields } from "./ScheduleFields.tsx";
import { AllowFields } from "./AllowFields.tsx";
import { SurveyFields } from "./SurveyFields.tsx";
import type { TemplateChoices } from "./template_choices.ts";

interface StartFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
  /** Schedules that the form cannot represent, and so must not change. */
  untyped: ScheduleView[];
}

/** Triggers of a template, and the values that its tasks start with. */
export function StartFields({ ui, form, choices, untyped }: StartFieldsProps) {
  const common = { ui, form };
  return (
    <>
      <FormSection id="template-when" title={ui.t("templates.sections.when")}>
        <ScheduleFields
          {...common}
          untyped={untyped}
          repositories={namedOptions(ui, choices.repositories)}
        />
        <Checkbox
          {...common}
          class="for-deploy"
          name="autorun"
          label={ui.t("templates.autorun")}
          hint={ui.t("templates.autorun_hint")}
        />
        <Checkbox
          {...common}
          name="require_confirmation"
          label={ui.t("templates.require_confirmation")}
        />
        <Checkbox
          {...common}
          name="allow_parallel_tasks"
          label={ui.t("templates.allow_parallel_tasks")}
        />
      </FormSection>
      <FormSection
        id="survey"
        title={ui.t("survey.title")}
        hint={ui.t("survey.hint")}
      >
        <SurveyFields {...common} />
      </FormSection>
      <FormSection id="template-options" title={ui.t("templates.sections.options")}>
        <CodeField
          {...common}
          name="arguments"
          label={ui.t("templates.arguments")}
          hint={ui.t("templates.arguments_hint")}
          mode="json"
          rows={3}
          placeholder='["--forks", "20"]'
        />
        <Checkbox
          {...common}
          name="allow_override_args_in_task"
          label={ui.t("templates.allow_arguments")}
        />
        <AllowFields {...common} />
        <PreviewFields {...common} />
        <Checkbox
          {...common}
          name="suppress_success_alerts"
          label={ui.t("templates.suppress_success_alerts")}
        />
        <Checkbox
          {...common}
          name="suppress_full_results"
          label={ui.t("templates.suppress_full_results")}
          hint={ui.t("templates.suppress_full_results_hint")}
        />
      </FormSection>
    </>
  );
}
