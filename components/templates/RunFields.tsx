import { Checkbox, namedOptions, Segments, Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { PlaybookField } from "./PlaybookField.tsx";
import type { TemplateChoices } from "./template_choices.ts";

interface RunFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
}

/** The fields that nearly every template needs: its name, and what runs where. */
export function RunFields({ ui, form, choices }: RunFieldsProps) {
  const common = { ui, form };
  const half = { ...common, class: "half", blank: ui.t("templates.choose"), required: true };
  return (
    <div class="form-fields">
      <Segments
        {...common}
        name="type"
        label={ui.t("templates.type_label")}
        options={[
          { value: "", label: ui.t("templates.type.task"), icon: "task" },
          { value: "build", label: ui.t("templates.type.build"), icon: "build" },
          { value: "deploy", label: ui.t("templates.type.deploy"), icon: "deploy" },
        ]}
      />
      <Field
        {...common}
        class="half template-name"
        name="name"
        label={ui.t("templates.name")}
        required
        autofocus
      />
      <TypeFields ui={ui} form={form} choices={choices} />
      <Select
        {...half}
        name="repository_id"
        label={ui.t("templates.repository")}
        options={namedOptions(ui, choices.repositories)}
      />
      <PlaybookField {...common} suggestions={choices.suggestions} found={choices.found} />
      <Select
        {...half}
        name="inventory_id"
        label={ui.t("templates.inventory")}
        options={namedOptions(ui, choices.inventories)}
      />
      <Select
        {...half}
        name="environment_id"
        label={ui.t("templates.environment")}
        options={namedOptions(ui, choices.environments)}
      />
    </div>
  );
}

/** Style rules hide the fields of other types than the chosen one, with their required marks. */
function TypeFields({ ui, form, choices }: RunFieldsProps) {
  const common = { ui, form };
  return (
    <>
      <Field
        {...common}
        class="half for-build"
        name="start_version"
        label={ui.t("templates.start_version")}
        placeholder={ui.t("templates.start_version_example")}
        hint={ui.t("templates.start_version_hint")}
        required
      />
      <Select
        {...common}
        class="half for-deploy"
        name="build_template_id"
        label={ui.t("templates.build_template")}
        blank={ui.t("templates.choose")}
        hint={ui.t("templates.build_template_hint")}
        options={[
          { label: ui.t("templates.builds"), options: namedOptions(ui, choices.builds) },
          { label: ui.t("templates.deploys"), options: namedOptions(ui, choices.deploys) },
        ].filter(({ options }) => options.length > 0)}
        required
      />
      <Checkbox
        {...common}
        class="half for-deploy"
        name="autorun"
        label={ui.t("templates.autorun")}
        hint={ui.t("templates.autorun_hint")}
      />
    </>
  );
}
