import { paths } from "../../lib/base/paths.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { AUTH_METHODS, type AuthMethod } from "../../lib/triggers/integrations/schema.ts";
import type { Asking } from "../../lib/model/template_row.ts";
import { PersonOnly } from "../tasks/PersonalFields.tsx";
import { TargetField } from "../tasks/TargetField.tsx";
import { waitingOptions } from "../tasks/waiting_options.ts";
import { namedOptions, Select } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";
import { Sentence } from "../ui/Sentence.tsx";

interface Named {
  id: number;
  name: string;
}

/** Resources that an integration can refer to. */
export interface IntegrationChoices {
  templates: readonly Named[];
  workflows: Named[];
  /** Keys with a login and a password. */
  keys: Named[];
  /** The chosen template. */
  template: Asking | null;
}

export const integrationLabels = (
  ui: Ui,
  { workflows }: Pick<IntegrationChoices, "workflows">,
) => ({
  name: ui.t("integrations.name"),
  template_id: ui.t(workflows.length > 0 ? "schedules.target" : "integrations.template_to_run"),
  auth_method: ui.t("integrations.auth_method"),
  auth_header: ui.t("integrations.auth_header"),
  auth_secret_id: ui.t("integrations.auth_secret"),
  if_waiting: ui.t("if_waiting.label"),
});

export const methodLabel = (ui: Ui, method: AuthMethod): string =>
  ui.t(`integrations.methods.${method || "none"}`);

interface IntegrationFieldsProps {
  ui: Ui;
  projectId: number;
  form: FormState;
  choices: IntegrationChoices;
  isNew: boolean;
}

/**
 * The template or workflow to run, and how calls authenticate. Style rules hide fields that a
 * method does not need.
 */
export function IntegrationFields(
  { ui, projectId, form, choices, isNew }: IntegrationFieldsProps,
) {
  const labels = integrationLabels(ui, choices);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <div class="integration-fields grid grid-cols-1 gap-4">
      <Field {...field("name")} required autofocus={isNew} />
      <TargetField
        {...field("template_id")}
        templates={choices.templates}
        workflows={choices.workflows}
        blank={ui.t("lists.choose")}
      />
      <PersonOnly ui={ui} template={choices.template} />
      <FoldedSections>
        <AuthFields {...{ ui, projectId, form, choices, isNew }} />
        <FoldedSection
          ui={ui}
          form={form}
          id="integration-waiting"
          title={labels.if_waiting}
          fields={[{ name: "if_waiting", text: "{{value}}", options: waitingOptions(ui) }]}
        >
          <Select
            {...field("if_waiting")}
            options={waitingOptions(ui)}
            hint={choices.workflows.length > 0 && ui.t("if_waiting.run_hint")}
          />
        </FoldedSection>
      </FoldedSections>
    </div>
  );
}

/** How calls prove who they are. */
function AuthFields({ ui, projectId, form, choices, isNew }: IntegrationFieldsProps) {
  const labels = integrationLabels(ui, choices);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  // There are two names for no method. Offers the stored one, so that saving changes nothing.
  const otherNone = form.values.auth_method === "none" ? "" : "none";
  const methods = AUTH_METHODS.filter((method) => method !== otherNone);
  const methodOptions = methods.map((method) => ({
    value: method,
    label: methodLabel(ui, method),
  }));
  const keyStore = <a href={ui.href(paths.section(projectId, "keys"))}>{ui.t("sections.keys")}</a>;
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="integration-auth"
      title={labels.auth_method}
      fields={[{ name: "auth_method", text: "{{value}}", options: methodOptions }]}
      none={methodLabel(ui, "")}
      holds={["auth_method", "auth_header", "auth_secret_id"]}
      open={isNew}
    >
      <Select
        {...field("auth_method")}
        options={methodOptions}
      />
      <Field
        {...field("auth_header")}
        class="for-header"
        required
        placeholder="X-Webhook-Token"
        hint={ui.t("integrations.auth_header_hint")}
      />
      <Select
        {...field("auth_secret_id")}
        class="for-secret"
        required
        blank={ui.t("lists.choose")}
        options={namedOptions(ui, choices.keys)}
        hint={
          <Sentence
            ui={ui}
            of="integrations.auth_secret_hint"
            parts={{ key_store: keyStore }}
          />
        }
      />
    </FoldedSection>
  );
}
