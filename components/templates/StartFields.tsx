import { CodeField } from "@/components/editor/CodeField.tsx";
import { Checkbox, Select } from "@/components/ui/Choice.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { ScheduleFields } from "./ScheduleFields.tsx";
import { AllowFields } from "./AllowFields.tsx";
import { SurveyFields } from "./SurveyFields.tsx";
import { options, type TemplateChoices } from "./template_choices.ts";
import { VaultFields } from "./VaultFields.tsx";

interface StartFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
  /** Schedules that the form cannot change, and so must not. */
  untyped: ScheduleView[];
}

/** How a template's runs start, and what they are given. */
export function StartFields({ ui, form, choices, untyped }: StartFieldsProps) {
  const common = { ui, form };
  return (
    <div class="grid gap-4">
      <VaultFields {...common} choices={choices} />
      <Select
        {...common}
        name="view_id"
        label={ui.t("templates.view")}
        options={choices.views.map(({ id, title }) => ({ value: id, label: title }))}
        blank={ui.t("templates.none")}
      />
      <ScheduleFields
        {...common}
        untyped={untyped}
        repositories={options(choices.repositories)}
      />
      <SurveyFields {...common} />
      <Checkbox
        {...common}
        name="suppress_success_alerts"
        label={ui.t("templates.suppress_success_alerts")}
      />
      <CodeField
        {...common}
        name="arguments"
        label={ui.t("templates.arguments")}
        hint={ui.t("templates.arguments_hint")}
        mode="json"
        rows={4}
        placeholder='["--forks", "20"]'
      />
      <Checkbox
        {...common}
        name="allow_override_args_in_task"
        label={ui.t("templates.allow_arguments")}
      />
      <AllowFields {...common} />
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
    </div>
  );
}
