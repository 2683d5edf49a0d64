import { CodeField } from "@/components/editor/CodeField.tsx";
import { namedOptions, Select } from "@/components/ui/forms/Choice.tsx";
import { LabelsField } from "@/components/placement/LabelsField.tsx";
import { Field, TextArea } from "@/components/ui/forms/Field.tsx";
import { FoldedSection } from "@/components/ui/forms/FoldedSection.tsx";
import { FormSection } from "@/components/ui/forms/Form.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { RETRY_ATTEMPTS_MAX, RETRY_MINUTES_MAX } from "@/lib/templates/schema.ts";
import { KEY_LIST, KeyRows, keyRowSummary } from "@/components/keys/KeyRows.tsx";
import { FlagsSection } from "./FlagsSection.tsx";
import { FOUND } from "./PlaybookField.tsx";
import { ToolchainSelect } from "../toolchains/ToolchainFields.tsx";
import type { TemplateChoices } from "./template_choices.ts";
import { VaultFields } from "./VaultFields.tsx";

interface SectionProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
}

/** Texts and places by which people find a template. */
export function DetailsSection({ ui, form, choices }: SectionProps) {
  const common = { ui, form };
  const views = choices.views.map(({ id, title }) => ({ value: id, label: title }));
  const description = ui.t("templates.description");
  const view = ui.t("templates.view");
  return (
    <FoldedSection
      {...common}
      id="template-details"
      title={ui.t("templates.sections.details")}
      fields={[
        { name: "description", text: description },
        { name: "view_id", text: ui.labelled(view, "{{value}}"), options: views },
      ]}
    >
      <TextArea {...common} name="description" label={description} rows={2} />
      <Select
        {...common}
        name="view_id"
        label={view}
        options={views}
        blank={ui.t("templates.none")}
        hint={ui.t("templates.view_hint")}
      />
    </FoldedSection>
  );
}

/** Default hosts and tags of a template's tasks, as comma-separated lists. */
export const PARAM_LISTS = ["limit", "tags", "skip_tags"] as const;

/** Limits of each run, further arguments of `ansible-playbook`, and labels of its runner. */
export function LimitsSection({ ui, form, choices }: SectionProps) {
  const common = { ui, form };
  const branch = ui.t("templates.branch");
  const folder = ui.t("templates.working_directory");
  const lists = PARAM_LISTS.map((name) => ({
    name: `task_params.${name}`,
    label: ui.t(`template_params.${name}`),
    hint: ui.t(`start_task.override_hint.${name}`),
  }));
  return (
    <FoldedSection
      {...common}
      id="template-limits"
      title={ui.t("templates.sections.limits")}
      fields={[
        { name: "git_branch", text: ui.labelled(branch, "{{value}}") },
        { name: "working_directory", text: ui.labelled(folder, "{{value}}") },
        { name: "keep_paths", text: ui.t("keep_paths.label") },
        ...lists.map(({ name, label }) => ({ name, text: ui.labelled(label, "{{value}}") })),
        { name: "arguments", text: ui.t("templates.arguments") },
        { name: "runner_tag", text: ui.labelled(ui.t("placement.labels"), "{{value}}") },
        {
          name: "toolchain_id",
          text: ui.labelled(ui.t("toolchains.field"), "{{value}}"),
          options: choices.toolchains.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
    >
      <CheckoutFields {...common} />
      {lists.map((list, n) => <Field key={n} {...common} {...list} autocomplete="off" />)}
      <CodeField
        {...common}
        name="arguments"
        label={ui.t("templates.arguments")}
        hint={ui.t("templates.arguments_hint")}
        mode="json"
        takes="strings"
        rows={3}
        placeholder='["--forks", "20"]'
      />
      <LabelsField
        {...common}
        hint={ui.t("placement.template_hint")}
        known={choices.runnerLabels}
      />
      <ToolchainSelect {...common} toolchains={choices.toolchains} of="template" />
    </FoldedSection>
  );
}

/** The branch of a run, its folder, and the files that it keeps. */
function CheckoutFields(common: Pick<SectionProps, "ui" | "form">) {
  const { ui } = common;
  return (
    <>
      <Field
        {...common}
        name="git_branch"
        label={ui.t("templates.branch")}
        hint={ui.t("templates.branch_hint")}
        list={FOUND.branches}
      />
      <Field
        {...common}
        name="working_directory"
        label={ui.t("templates.working_directory")}
        hint={ui.t("templates.working_directory_hint")}
        autocomplete="off"
      />
      <TextArea
        {...common}
        name="keep_paths"
        label={ui.t("keep_paths.label")}
        hint={ui.t("keep_paths.hint")}
        rows={2}
      />
    </>
  );
}

/** SSH keys that come before those of the inventory, and passwords of encrypted files. */
export function KeysSection({ ui, form, choices, open }: SectionProps & { open: boolean }) {
  const common = { ui, form };
  const vaultKeys = namedOptions(ui, choices.vaultKeys);
  const vaultId = ui.labelled(ui.t("vault_fields.name"), "{{value}}");
  return (
    <FoldedSection
      {...common}
      id="template-keys"
      title={ui.t("templates.sections.keys")}
      fields={[
        ...keyRowSummary(ui, form, choices.sshKeys),
        ...rowNumbers(form.values, "vaults").flatMap((number) => [
          { name: `vaults.${number}.vault_key_id`, text: "{{value}}", options: vaultKeys },
          { name: `vaults.${number}.name`, text: vaultId },
        ]),
      ]}
      holds={[KEY_LIST, "vaults"]}
      open={open}
    >
      <FormSection
        id="template-ssh-keys"
        title={ui.t("ssh_keys.title")}
        hint={ui.t("ssh_keys.template_hint")}
      >
        <KeyRows {...common} keys={choices.sshKeys} before={0} />
      </FormSection>
      <FormSection id="template-vaults" title={ui.t("vault_fields.title")}>
        <VaultFields {...common} choices={choices} />
      </FormSection>
    </FoldedSection>
  );
}

const RETRIES = [
  { name: "retry_attempts", max: RETRY_ATTEMPTS_MAX },
  { name: "retry_minutes", max: RETRY_MINUTES_MAX },
] as const;

const BEHAVIOR = [
  "allow_parallel_tasks",
  "task_params.skip_galaxy_install",
  "suppress_full_results",
  "suppress_success_alerts",
  "suppress_error_alerts",
  "muted",
  "task_identity",
] as const;

/** Rules for tasks of the template, and for what is stored and reported of them. */
export function BehaviorSection({ ui, form, choices: { issuer } }: SectionProps) {
  const audience = "task_identity_audience";
  const hints: Record<string, string> = {
    task_identity: ui.t(issuer ? "templates.task_identity_hint" : "task_identity.no_address"),
    suppress_full_results: ui.t("templates.suppress_full_results_hint"),
  };
  return (
    <FlagsSection
      ui={ui}
      form={form}
      id="template-behavior"
      title={ui.t("templates.sections.behavior")}
      fields={RETRIES.map(({ name }) => ({
        name,
        text: ui.labelled(ui.t(`templates.${name}`), "{{value}}"),
      }))}
      holds={[audience]}
      more={
        <>
          <Field
            ui={ui}
            form={form}
            name={audience}
            label={ui.t(`templates.${audience}`)}
            hint={ui.t(`templates.${audience}_hint`)}
            placeholder={issuer ?? undefined}
            autocomplete="off"
          />
          {RETRIES.map(({ name, max }, n) => (
            <Field
              key={n}
              ui={ui}
              form={form}
              name={name}
              label={ui.t(`templates.${name}`)}
              hint={ui.t(`templates.${name}_hint`, { max })}
              type="number"
              min={0}
              max={max}
              class="half"
            />
          ))}
        </>
      }
      flags={BEHAVIOR.map((name) => ({
        name,
        label: name.startsWith("task_params.")
          ? ui.t(`template_params.${keyOf(name)}`)
          : ui.t(`templates.${name}`),
        brief: ui.t(`templates.briefs.${keyOf(name)}`),
        hint: hints[name],
      }))}
    />
  );
}

const keyOf = (name: string) => name.replace("task_params.", "");
