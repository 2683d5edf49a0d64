import { namedOptions, Segments, Select } from "@/components/ui/Choice.tsx";
import { Field, TextArea } from "@/components/ui/Field.tsx";
import { FormErrors, FormSection } from "@/components/ui/Form.tsx";
import type { FormState, SubmittedForm } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { VaultFields } from "./VaultFields.tsx";
import type { TemplateChoices } from "./template_choices.ts";
import type { RepositoryContents } from "@/lib/execution/git/contents.ts";
import { Button } from "@/components/ui/Button.tsx";
import { Names } from "@/components/probes/Trial.tsx";

interface RunFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
}

/** Name, playbook and targets of a template. */
export const RunFields = (props: RunFieldsProps) => (
  <>
    <WhatFields {...props} />
    <WhereFields {...props} />
  </>
);

function WhatFields({ ui, form, choices }: RunFieldsProps) {
  const common = { ui, form };
  return (
    <FormSection id="template-what" title={ui.t("templates.sections.what")}>
      <TypeFields ui={ui} form={form} choices={choices} />
      <Field {...common} name="name" label={ui.t("templates.name")} required autofocus />
      <TextArea {...common} name="description" label={ui.t("templates.description")} rows={2} />
      <Field
        {...common}
        class="half"
        name="playbook"
        label={ui.t("templates.playbook_filename")}
        placeholder={ui.t("templates.playbook_example")}
        list={FOUND.playbooks}
        required
      />
      <Select
        {...common}
        class="half"
        name="repository_id"
        label={ui.t("templates.repository")}
        options={namedOptions(ui, choices.repositories)}
        blank={ui.t("templates.choose")}
        required
      />
      <Field
        {...common}
        class="half"
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
        class="half"
        name="view_id"
        label={ui.t("templates.view")}
        options={choices.views.map(({ id, title }) => ({ value: id, label: title }))}
        blank={ui.t("templates.none")}
        hint={ui.t("templates.view_hint")}
      />
    </FormSection>
  );
}

function WhereFields({ ui, form, choices }: RunFieldsProps) {
  const common = { ui, form };
  const blank = ui.t("templates.choose");
  return (
    <FormSection id="template-where" title={ui.t("templates.sections.where")}>
      <Select
        {...common}
        class="half"
        name="inventory_id"
        label={ui.t("templates.inventory")}
        options={namedOptions(ui, choices.inventories)}
        blank={blank}
        required
      />
      <Select
        {...common}
        class="half"
        name="environment_id"
        label={ui.t("templates.environment")}
        options={namedOptions(ui, choices.environments)}
        blank={blank}
        required
      />
      <VaultFields {...common} choices={choices} />
    </FormSection>
  );
}

/** Style rules hide the fields of other types than the chosen one, with their required marks. */
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
        required
      />
      <Select
        {...common}
        class="for-deploy"
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
    </>
  );
}

interface RepositoryPickerProps {
  ui: Ui;
  labels: Record<string, string>;
  /** Contents of the repository; missing until they are requested. */
  found?: SubmittedForm<RepositoryContents>;
}

/** Ids of the lists with suggestions for the playbook and branch fields, used as their `list`. */
const FOUND = { playbooks: "found-playbooks", branches: "found-branches" };

/** Asks the chosen repository for its playbooks and branches. Nothing is saved. */
function RepositoryPicker({ ui, labels, found }: RepositoryPickerProps) {
  const { branches = [], playbooks = [] } = found?.ok ? found.result : {};
  return (
    <section id="found" class="trial">
      <div class="trial-button">
        <Button name="load" value="repository" formNoValidate formAction="#found" data-stay>
          {ui.t("probes.picker.load")}
        </Button>
        <p class="field-hint" role="status">
          {ui.t(found?.ok ? "probes.picker.loaded" : "probes.picker.hint", {
            playbooks: playbooks.length,
            branches: branches.length,
          })}
        </p>
      </div>
      {found && !found.ok && <FormErrors ui={ui} form={found} labels={labels} />}
      {found?.ok && (
        <div>
          <Names ui={ui} title={ui.t("probes.picker.playbooks")} names={playbooks} />
          <Names ui={ui} title={ui.t("probes.picker.branches")} names={branches} />
        </div>
      )}
      <datalist id={FOUND.playbooks}>
        {playbooks.map((path, n) => <option key={n} value={path} />)}
      </datalist>
      <datalist id={FOUND.branches}>
        {branches.map((name, n) => <option key={n} value={name} />)}
      </datalist>
    </section>
  );
}
