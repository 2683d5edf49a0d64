import { Checkbox, Segments, Select } from "@/components/ui/Choice.tsx";
import { FOUND, RepositoryPicker } from "@/components/probes/RepositoryPicker.tsx";
import { Field, TextArea } from "@/components/ui/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { options, type TemplateChoices } from "./template_choices.ts";

interface RunFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
}

/** What a template is called, and what it runs. */
export function RunFields({ ui, form, choices }: RunFieldsProps) {
  const common = { ui, form };
  const blank = ui.t("templates.choose");
  return (
    <div class="grid gap-4">
      <TypeFields ui={ui} form={form} choices={choices} />
      <Field {...common} name="name" label={ui.t("templates.name")} required autofocus />
      <TextArea
        {...common}
        name="description"
        label={ui.t("templates.description")}
        rows={2}
      />
      <Field
        {...common}
        name="playbook"
        label={ui.t("templates.playbook_filename")}
        placeholder={ui.t("templates.playbook_example")}
        list={FOUND.playbooks}
        required
      />
      <Select
        {...common}
        name="inventory_id"
        label={ui.t("templates.inventory")}
        options={options(choices.inventories)}
        blank={blank}
        required
      />
      <Select
        {...common}
        name="repository_id"
        label={ui.t("templates.repository")}
        options={options(choices.repositories)}
        blank={blank}
        required
      />
      <Field
        {...common}
        name="git_branch"
        label={ui.t("templates.branch")}
        hint={ui.t("templates.branch_hint")}
        list={FOUND.branches}
      />
      <RepositoryPicker
        ui={ui}
        labels={{ repository_id: ui.t("templates.repository") }}
        found={choices.found}
      />
      <Select
        {...common}
        name="environment_id"
        label={ui.t("templates.environment")}
        options={options(choices.environments)}
        blank={blank}
        required
      />
    </div>
  );
}

/** Fields of another type than the chosen one are hidden by style. */
function TypeFields({ ui, form, choices }: RunFieldsProps) {
  const common = { ui, form };
  return (
    <>
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
        class="for-build"
        name="start_version"
        label={ui.t("templates.start_version")}
        placeholder={ui.t("templates.start_version_example")}
        hint={ui.t("templates.start_version_hint")}
      />
      <Select
        {...common}
        class="for-deploy"
        name="build_template_id"
        label={ui.t("templates.build_template")}
        blank={ui.t("templates.choose")}
        hint={ui.t("templates.build_template_hint")}
        options={[
          { label: ui.t("templates.builds"), options: options(choices.builds) },
          { label: ui.t("templates.deploys"), options: options(choices.deploys) },
        ].filter(({ options }) => options.length > 0)}
      />
      <Checkbox
        {...common}
        class="for-deploy"
        name="autorun"
        label={ui.t("templates.autorun")}
      />
    </>
  );
}
