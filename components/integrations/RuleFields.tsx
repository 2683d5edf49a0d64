import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import {
  BODY_TYPES,
  MATCH_METHODS,
  SOURCES,
} from "../../lib/triggers/integrations/rule_schemas.ts";
import { Segments } from "../ui/forms/Choice.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";

interface FieldsProps {
  ui: Ui;
  form: FormState;
  isNew: boolean;
}

export const matcherLabels = (ui: Ui) => ({
  name: ui.t("matchers.name"),
  match_type: ui.t("matchers.match_on"),
  body_data_type: ui.t("matchers.body_data_type"),
  key: ui.t("matchers.key"),
  method: ui.t("matchers.method"),
  value: ui.t("matchers.value"),
});

export const extractValueLabels = (ui: Ui) => ({
  name: ui.t("values.name"),
  value_source: ui.t("values.source"),
  body_data_type: ui.t("values.body_data_type"),
  key: ui.t("values.key"),
  variable_type: ui.t("values.variable_type"),
  variable: ui.t("values.variable"),
  default_value: ui.t("values.default_value"),
});

/** Source of a matcher, and the value that it compares with. */
export function MatcherFields({ ui, form, isNew }: FieldsProps) {
  const labels = matcherLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  // A single-line field would lose line breaks in a value that was set by the API.
  const Value = form.values.value?.includes("\n") ? TextArea : Field;
  return (
    <>
      <Field {...field("name")} required autofocus={isNew} />
      <WhereFields
        ui={ui}
        form={form}
        source={field("match_type")}
        labels={labels}
      />
      <Segments
        {...field("method")}
        options={MATCH_METHODS.map((value) => ({
          value,
          label: ui.t(`matchers.methods.${value}`),
        }))}
      />
      <Value {...field("value")} required />
    </>
  );
}

/** Source of an extract value, and the variable that it sets. */
export function ExtractValueFields({ ui, form, isNew }: FieldsProps) {
  const labels = extractValueLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const Default = form.values.default_value?.includes("\n") ? TextArea : Field;
  return (
    <>
      <Field {...field("name")} required autofocus={isNew} />
      <WhereFields
        ui={ui}
        form={form}
        source={field("value_source")}
        labels={labels}
      />
      <Segments
        {...field("variable_type")}
        options={(["environment", "task"] as const).map((value) => ({
          value,
          label: ui.t(`values.variable_types.${value}`),
        }))}
      />
      <Field
        {...field("variable")}
        required
        hint={ui.t("values.variable_hint")}
      />
      <Default
        {...field("default_value")}
        hint={ui.t("values.default_value_hint")}
      />
    </>
  );
}

interface WhereProps {
  ui: Ui;
  form: FormState;
  source: { ui: Ui; form: FormState; name: string; label: string };
  labels: { body_data_type: string; key: string };
}

/** Body or header, and the position in it. Style rules hide fields that a source does not need. */
function WhereFields({ ui, form, source, labels }: WhereProps) {
  return (
    <>
      <Segments
        {...source}
        options={SOURCES.map((value) => ({
          value,
          label: ui.t(`integration_rules.sources.${value}`),
        }))}
      />
      <Segments
        ui={ui}
        form={form}
        name="body_data_type"
        label={labels.body_data_type}
        class="for-body"
        options={BODY_TYPES.map((value) => ({
          value,
          label: ui.t(`integration_rules.body_types.${value}`),
        }))}
      />
      <Field
        ui={ui}
        form={form}
        name="key"
        label={labels.key}
        class="for-key"
        required
        hint={ui.t("integration_rules.key_hint")}
      />
    </>
  );
}
