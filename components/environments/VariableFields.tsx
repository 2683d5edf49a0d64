import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { ADD_ROW, removeRow, rowNumbers } from "../../lib/web/forms/rows.ts";
import { CodeField } from "../editor/CodeField.tsx";
import { Button, IconButton } from "../ui/Button.tsx";
import { Select } from "../ui/forms/Choice.tsx";
import { Field, fieldAttributes, fieldId, TextArea } from "../ui/forms/Field.tsx";
import {
  changeOf,
  isShownAsRows,
  ROWS_MAX,
  rowsOf,
  shownAs,
  type VariablesField,
} from "./variable_rows.ts";

interface VariableFieldsProps {
  ui: Ui;
  form: FormState;
  name: VariablesField;
  label: string;
  /** Height of the field for JSON. */
  lines: number;
}

const ROW_HINTS = { json: "environments.rows_hint", env: "environments.env_rows_hint" };
const JSON_HINTS = { json: "environments.json_hint", env: "environments.env_hint" };

/**
 * Variables as rows of name and value, or as JSON. The buttons send the form, so no script is
 * needed.
 */
export function VariableFields(props: VariableFieldsProps) {
  const { ui, form, name, label, lines } = props;
  const isRows = isShownAsRows(form.values, name);
  return (
    <div id={`${name}-variables`} class="variables">
      <input type="hidden" name={shownAs(name)} value={isRows ? "rows" : "json"} />
      {isRows ? <VariableRows {...props} /> : (
        <CodeField
          {...{ ui, form, name, label }}
          mode="json"
          takes="object"
          rows={lines}
          hint={ui.t(JSON_HINTS[name])}
        />
      )}
      <div class="form-buttons">
        {isRows && (
          <Change
            ui={ui}
            name={name}
            value={ADD_ROW}
            label="environments.add_variable"
            disabled={rowNumbers(form.values, rowsOf(name)).length >= ROWS_MAX}
          />
        )}
        <Change
          ui={ui}
          name={name}
          value={isRows ? "json" : "rows"}
          label={isRows ? "environments.as_json" : "environments.as_rows"}
        />
      </div>
    </div>
  );
}

interface ChangeProps extends Pick<VariableFieldsProps, "ui" | "name"> {
  value: string;
  label: string;
  disabled?: boolean;
}

const Change = ({ ui, name, value, label, disabled }: ChangeProps) => (
  <Button
    name={changeOf(name)}
    value={value}
    kind={value === ADD_ROW ? "secondary" : "quiet"}
    icon={value === ADD_ROW ? "plus" : undefined}
    formaction={`#${name}-variables`}
    disabled={disabled}
    data-stay
  >
    {ui.t(label)}
  </Button>
);

/** The rows, with the JSON that they were made of, which stays if nothing is changed. */
function VariableRows({ ui, form, name, label }: VariableFieldsProps) {
  const { values, errors } = form;
  const hint = ui.t(ROW_HINTS[name]);
  const { id, ...described } = fieldAttributes({ form, name, hint });
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={described["aria-describedby"]}>
      <legend>{label}</legend>
      <input type="hidden" name={name} value={values[name] ?? ""} />
      {rowNumbers(values, rowsOf(name)).map((number, index) => (
        <VariableRow key={index} {...{ ui, form, name, number }} position={index + 1} />
      ))}
      {errors[name] && <p id={`${id}-error`} class="field-error">{ui.tell(errors[name])}</p>}
      <p id={`${id}-hint`} class="field-hint">{hint}</p>
    </fieldset>
  );
}

interface VariableRowProps extends Pick<VariableFieldsProps, "ui" | "form" | "name"> {
  number: number;
  position: number;
}

function VariableRow({ ui, form, name, number, position }: VariableRowProps) {
  const labels = labelsOf(ui);
  const field = (member: keyof typeof labels) => ({
    ui,
    form,
    name: `${rowsOf(name)}.${number}.${member}`,
    label: labels[member],
  });
  const { name: typeName } = field("type");
  const type = form.values[typeName] ?? "text";
  return (
    <div
      id={`${fieldId(form, rowsOf(name))}-${number}`}
      class={`variable-row variable-${name}`}
      role="group"
      aria-label={ui.t("environments.variable_at", { position })}
    >
      <Field {...field("name")} autocomplete="off" />
      <TextArea {...field("value")} code rows={1} />
      {name === "json"
        ? (
          <Select
            {...field("type")}
            options={(["text", "json"] as const).map((value) => ({
              value,
              label: ui.t(`environments.value_types.${value}`),
            }))}
          />
        )
        : <input type="hidden" name={typeName} value={type} />}
      <IconButton
        icon="delete"
        label={ui.t("environments.remove_variable", { position })}
        name={changeOf(name)}
        value={removeRow(number)}
        formaction={`#${name}-variables`}
        data-stay
      />
    </div>
  );
}

const labelsOf = (ui: Ui) => ({
  name: ui.t("resources.name"),
  value: ui.t("environments.secret_value"),
  type: ui.t("environments.value_type"),
});

/** Labels of the rows' fields, by name. */
export const variableLabels = (ui: Ui, { values }: FormState, name: VariablesField) =>
  Object.fromEntries(
    rowNumbers(values, rowsOf(name)).flatMap((number, index) =>
      Object.entries(labelsOf(ui)).map(([member, label]) => [
        `${rowsOf(name)}.${number}.${member}`,
        ui.t("environments.field_of_variable", { position: index + 1, label }),
      ])
    ),
  );
