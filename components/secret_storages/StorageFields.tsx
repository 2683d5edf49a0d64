import { Fragment } from "preact";
import type { FormState } from "../../lib/web/forms/form.ts";
import type { SourceField } from "../../lib/execution/sources/kind.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SecretStorageView } from "../../lib/resources/secret_storages/schema.ts";
import { Button } from "../ui/Button.tsx";
import { AllowPrivate } from "../ui/forms/AllowPrivate.tsx";
import { Select } from "../ui/forms/Choice.tsx";
import { Field, SECRET_LINES, TextArea } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";

/** The fields of each type of storage. */
type FieldsByType = [type: string, fields: SourceField[]][];

export const storageLabels = (ui: Ui, types: FieldsByType): Record<string, string> => ({
  name: ui.t("resources.name"),
  type: ui.t("keys.type"),
  ...Object.fromEntries(
    types.flatMap(([, fields]) =>
      fields.map(({ name }) => [`params.${name}`, ui.t(`secret_storages.fields.${name}`)])
    ),
  ),
  secret: ui.t("secret_storages.secret"),
  unavailable: ui.t("secret_storages.unavailable.label"),
  wait_seconds: ui.t("secret_storages.wait_seconds"),
  allow_private: ui.t("alert_targets.allow_private"),
});

interface StorageFieldsProps {
  ui: Ui;
  form: FormState;
  types: FieldsByType;
  /** The stored storage; null for a new one. */
  item: SecretStorageView | null;
  mayAllowPrivate: boolean;
  /** Address of the test of a stored one. */
  test: string | null;
}

/** A storage's address, sign-in and behavior. Fields depend on its type and way to sign in. */
export function StorageFields(
  { ui, form, types, item, mayAllowPrivate, test }: StorageFieldsProps,
) {
  const labels = storageLabels(ui, types);
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  const fields = new Map(types).get(form.values.type) ?? [];
  const valueOf = (name: string) => {
    const { choices, fallback } = fields.find((field) => field.name === name) ?? {};
    const value = form.values[`params.${name}`];
    // The choice of another type, or none yet: the first one is shown.
    return choices?.includes(value) ? value : fallback;
  };
  const shown = fields.filter(({ when = {} }) =>
    Object.entries(when).every(([name, value]) => valueOf(name) === value)
  );
  // The box about the addresses of a storage is below the last of them.
  const asks = mayAllowPrivate ? shown.findLast(({ type }) => type === "url") : undefined;
  const unavailable = ["wait", "fail"].map((value) => ({
    value,
    label: ui.t(`secret_storages.unavailable.${value}`),
  }));
  return (
    <div class="grid grid-cols-1 gap-4">
      <Field {...field("name")} required autofocus />
      <Select
        {...field("type")}
        options={types.map(([value]) => ({ value, label: ui.t(`secret_storages.kinds.${value}`) }))}
      />
      <Params ui={ui} form={form} params={shown.filter(isUsual)} asks={asks} />
      <Button name="redraw" value="true" class="justify-self-start" id="redraw" data-stay>
        {ui.t("secret_storages.redraw")}
      </Button>
      <TextArea
        {...field("secret")}
        {...SECRET_LINES}
        hint={ui.t(item?.has_secret ? "alert_targets.keep_secret" : "secret_storages.secret_hint")}
      />
      <FoldedSections>
        <OptionalParams
          ui={ui}
          form={form}
          params={shown.filter((param) => !isUsual(param))}
          asks={asks}
        />
        <FoldedSection
          ui={ui}
          form={form}
          id="storage-unavailable"
          title={labels.unavailable}
          fields={[
            { name: "unavailable", text: "{{value}}", options: unavailable },
            { name: "wait_seconds", text: ui.labelled(labels.wait_seconds, "{{value}}") },
          ]}
        >
          <Select {...field("unavailable")} options={unavailable} />
          <Field {...field("wait_seconds")} type="number" min={1} max={3600} inputMode="numeric" />
        </FoldedSection>
        {test && <StorageTest ui={ui} form={form} test={test} />}
      </FoldedSections>
    </div>
  );
}

interface ParamsProps extends Pick<StorageFieldsProps, "ui" | "form"> {
  params: SourceField[];
  /** The field that the box about private networks follows; undefined without it. */
  asks: SourceField | undefined;
}

const Params = ({ ui, form, params, asks }: ParamsProps) => (
  <>
    {params.map((param, n) => (
      <Fragment key={n}>
        <Param ui={ui} form={form} param={param} />
        {param === asks && (
          <AllowPrivate
            ui={ui}
            form={form}
            label={ui.t("alert_targets.allow_private")}
            hint={ui.t("secret_storages.private_hint")}
          />
        )}
      </Fragment>
    ))}
  </>
);

/** Whether a storage of this type has the field, or a choice, in any case. */
const isUsual = ({ required, choices, fallback }: SourceField): boolean =>
  Boolean(required || choices || fallback);

/** Fields that most storages leave blank. */
const OptionalParams = ({ ui, form, params, asks }: ParamsProps) =>
  params.length > 0 && (
    <FoldedSection
      ui={ui}
      form={form}
      id="storage-optional"
      title={ui.t("start_task.advanced")}
      fields={params.flatMap((param) => [
        {
          name: `params.${param.name}`,
          text: param.type === "area" ? ui.t(`secret_storages.fields.${param.name}`) : "{{value}}",
        },
        ...param === asks
          ? [{ name: "allow_private", text: ui.t("alert_targets.allow_private") }]
          : [],
      ])}
    >
      <Params ui={ui} form={form} params={params} asks={asks} />
    </FoldedSection>
  );

/** Reads a path from a stored storage. */
const StorageTest = (
  { ui, form, test }: Pick<StorageFieldsProps, "ui" | "form"> & { test: string },
) => (
  <FoldedSection
    ui={ui}
    form={form}
    id="storage-test"
    title={ui.t("secret_storages.test.title")}
    fields={[{ name: "test_path", text: "{{value}}" }]}
  >
    <p class="field-hint">{ui.t("secret_storages.test.hint")}</p>
    <Field ui={ui} form={form} name="test_path" label={ui.t("secret_storages.path")} />
    <Button class="justify-self-start" formaction={test}>
      {ui.t("secret_storages.test.button")}
    </Button>
  </FoldedSection>
);

function Param({ ui, form, param }: { ui: Ui; form: FormState; param: SourceField }) {
  const { name, required, type, choices } = param;
  const field = {
    ui,
    form,
    name: `params.${name}`,
    label: ui.t(`secret_storages.fields.${name}`),
  };
  if (choices) {
    const options = choices.map((value) => ({
      value,
      label: ui.t(`secret_storages.choices.${value}`),
    }));
    return <Select {...field} options={options} />;
  }
  if (type === "area") return <TextArea {...field} code rows={3} />;
  return (
    <Field
      {...field}
      required={required}
      autocomplete="off"
    />
  );
}
