import CodeEditor from "@/islands/CodeEditor.tsx";
import { ScheduleFields } from "./ScheduleFields.tsx";
import { SurveyFields } from "./SurveyFields.tsx";
import { Checkbox, Segments, Select } from "@/components/ui/Choice.tsx";
import { Field, fieldAttributes, FieldFrame, TextArea } from "@/components/ui/Field.tsx";
import { Form } from "@/components/ui/Form.tsx";
import type { FormState } from "@/lib/web/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";

interface Named {
  id: number;
  name: string;
}

/** What a template may refer to. */
interface TemplateChoices {
  inventories: Named[];
  repositories: Named[];
  environments: Named[];
  vaultKeys: Named[];
  views: { id: number; title: string }[];
  builds: Named[];
  deploys: Named[];
}

interface TemplateFormProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
  /** Schedules that the form cannot change, and so must not. */
  untyped: ScheduleView[];
  action: string;
  cancel: string;
  isNew: boolean;
}

const options = (rows: Named[]) => rows.map(({ id, name }) => ({ value: id, label: name }));

/** Everything that a template says. Fields of another type than the chosen one are hidden by style. */
export function TemplateForm(props: TemplateFormProps) {
  const { ui, form, choices, untyped, action, cancel, isNew } = props;
  const common = { ui, form };
  const blank = ui.t("templates.choose");
  return (
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={cancel}
      save={ui.t(isNew ? "actions.create" : "actions.save")}
      labels={labelsOf(ui)}
    >
      <div class="template-form grid gap-4 lg:grid-cols-2 items-start">
        <div class="grid gap-4">
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
            blank={blank}
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
        <div class="grid gap-4">
          <Select
            {...common}
            name="vault_key_id"
            label={ui.t("templates.vault_password")}
            options={options(choices.vaultKeys)}
            blank={ui.t("templates.none")}
          />
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
          <Arguments {...common} />
          <Checkbox
            {...common}
            name="allow_override_args_in_task"
            label={ui.t("templates.allow_arguments")}
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
        </div>
      </div>
    </Form>
  );
}

function Arguments({ ui, form }: { ui: Ui; form: FormState }) {
  const label = ui.t("templates.arguments");
  const hint = ui.t("templates.arguments_hint");
  const field = fieldAttributes({ form, name: "arguments", hint });
  return (
    <FieldFrame ui={ui} form={form} name="arguments" label={label} hint={hint}>
      <CodeEditor
        id={field.id}
        name="arguments"
        value={form.values.arguments ?? ""}
        mode="json"
        label={label}
        rows={4}
        placeholder='["--forks", "20"]'
        describedBy={field["aria-describedby"]}
        invalid={field["aria-invalid"] === "true"}
      />
    </FieldFrame>
  );
}

/** What the fields are called, for the list of mistakes on top of the form. */
const labelsOf = (ui: Ui): Record<string, string> => ({
  name: ui.t("templates.name"),
  playbook: ui.t("templates.playbook_filename"),
  inventory_id: ui.t("templates.inventory"),
  repository_id: ui.t("templates.repository"),
  environment_id: ui.t("templates.environment"),
  start_version: ui.t("templates.start_version"),
  build_template_id: ui.t("templates.build_template"),
  cron_format: ui.t("schedules.schedule"),
  cron_repository_id: ui.t("schedules.new_commits"),
  arguments: ui.t("templates.arguments"),
});
