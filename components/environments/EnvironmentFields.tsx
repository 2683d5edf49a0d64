import type { FormState } from "../../lib/web/forms/form.ts";
import { ADD_ROW, rowNumbers } from "../../lib/web/forms/rows.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { SourceFields, sourceLabels } from "../secret_storages/SourceFields.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Checkbox, Select } from "../ui/forms/Choice.tsx";
import { Field, SECRET_LINES, TextArea } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";
import { FormSection } from "../ui/forms/Form.tsx";
import { VariableFields, variableLabels } from "./VariableFields.tsx";
import { changeOf, isShownAsRows, rowsOf, withVariableRows } from "./variable_rows.ts";

export const environmentLabels = (ui: Ui, form: FormState): Record<string, string> => ({
  name: ui.t("environments.name"),
  json: ui.t("environments.extra_variables"),
  ...variableLabels(ui, form, "json"),
  env: ui.t("environments.environment_variables"),
  ...variableLabels(ui, form, "env"),
  secrets: ui.t("environments.secrets"),
  ...Object.fromEntries(
    rowNumbers(form.values, "secrets").flatMap((number, index) =>
      Object.entries({ ...secretLabels(ui), ...sourceLabels(ui, "source") }).map((
        [field, label],
      ) => [
        `secrets.${number}.${field}`,
        ui.t("environments.field_of_secret", { position: index + 1, label }),
      ])
    ),
  ),
});

const secretLabels = (ui: Ui) => ({
  name: ui.t("environments.secret_name"),
  type: ui.t("environments.secret_type"),
  secret: ui.t("environments.secret_value"),
  remove: ui.t("environments.remove"),
});

interface EnvironmentFieldsProps {
  ui: Ui;
  form: FormState;
  /** Stored secrets whose values must be typed again. */
  empty?: { id: number }[];
  storages: readonly { id: number; name: string }[];
}

/** Variables for playbooks and for the process that runs them, and secrets. */
export function EnvironmentFields(
  { ui, form: sent, empty = [], storages }: EnvironmentFieldsProps,
) {
  const form = { ...sent, values: withVariableRows(sent.values) };
  const labels = environmentLabels(ui, form);
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      {empty.length > 0 && <Alert kind="warning">{ui.t("environments.empty_hint")}</Alert>}
      <Field {...field("name")} required autofocus />
      <VariableFields {...{ ui, form }} name="json" label={labels.json} lines={6} />
      <FoldedSections>
        <FoldedSection
          ui={ui}
          form={form}
          id="environment-variables"
          title={labels.env}
          fields={[{
            name: isShownAsRows(form.values, "env") ? `${rowsOf("env")}.*.name` : "env",
            text: "{{value}}",
            blank: "{}",
          }]}
          holds={["env", rowsOf("env")]}
          open={changeOf("env") in form.values}
        >
          <VariableFields {...{ ui, form }} name="env" label={labels.env} lines={4} />
        </FoldedSection>
      </FoldedSections>
      <FormSection
        id="secrets"
        title={ui.t("environments.secrets")}
        hint={ui.t("environments.secrets_hint")}
      >
        {rowNumbers(form.values, "secrets").map((number) => (
          <SecretRow ui={ui} form={form} number={number} empty={empty} storages={storages} />
        ))}
        <Button
          name="add_secret"
          value={ADD_ROW}
          icon="plus"
          class="justify-self-start"
          id="secret-add"
          formaction="#secret-add"
          data-stay
        >
          {ui.t("environments.add_secret")}
        </Button>
      </FormSection>
    </>
  );
}

type SecretRowProps = Required<EnvironmentFieldsProps> & { number: number };

function SecretRow({ ui, form, number, empty, storages }: SecretRowProps) {
  const name = (field: string) => `secrets.${number}.${field}`;
  const labels = secretLabels(ui);
  const field = (field: keyof typeof labels) => ({
    ui,
    form,
    name: name(field),
    label: labels[field],
  });
  const storedId = form.values[name("id")] ?? "";
  const isStored = storedId !== "";
  const isEmpty = empty.some(({ id }) => String(id) === storedId);
  return (
    <div id={`secret-${number}`} class="secret-row">
      <input type="hidden" name={name("id")} value={form.values[name("id")] ?? ""} />
      <Field
        {...field("name")}
        autocomplete="off"
      />
      <Select
        {...field("type")}
        options={[
          { value: "var", label: ui.t("environments.types.var") },
          { value: "env", label: ui.t("environments.types.env") },
        ]}
      />
      <TextArea
        {...field("secret")}
        {...SECRET_LINES}
        placeholder={isStored && !isEmpty ? ui.t("environments.unchanged") : undefined}
        hint={isEmpty ? ui.t("environments.value_missing") : undefined}
      />
      <div class="secret-place">
        <SourceFields ui={ui} form={form} name={name("source")} storages={storages} />
      </div>
      {isStored && <Checkbox {...field("remove")} />}
    </div>
  );
}
