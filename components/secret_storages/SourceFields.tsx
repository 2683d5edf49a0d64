import type { FormState } from "../../lib/web/forms/form.ts";
import type { FormValues } from "../../lib/web/forms/read_form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SecretSource } from "../../lib/resources/secret_storages/schema.ts";
import { namedOptions, Select } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";

/** Places that need no secret storage. */
const BUILT_IN = ["env", "file", "command"];

interface SourceFieldsProps {
  ui: Ui;
  form: FormState;
  /** Name of the source in the form. */
  name: string;
  storages: readonly { id: number; name: string }[];
  /** Only those that sign keys. */
  signs?: boolean;
}

export const sourceLabels = (ui: Ui, name: string): Record<string, string> => ({
  [`${name}.place`]: ui.t("secret_storages.place"),
  [`${name}.path`]: ui.t("secret_storages.path"),
  [`${name}.field`]: ui.t("secret_storages.field"),
});

export const signerLabels = (ui: Ui, name: string): Record<string, string> => ({
  [`${name}.place`]: ui.t("keys.signer"),
  [`${name}.path`]: ui.t("secret_storages.path"),
});

/** The place of a value: here, on the machine, or in a secret storage with a path. */
export function SourceFields({ ui, form, name, storages, signs = false }: SourceFieldsProps) {
  const labels = signs ? signerLabels(ui, name) : sourceLabels(ui, name);
  const field = (part: string) => ({
    ui,
    form,
    name: `${name}.${part}`,
    label: labels[`${name}.${part}`],
  });
  return (
    <>
      <Select
        {...field("place")}
        blank={ui.t(signs ? "keys.no_signer" : "secret_storages.here")}
        options={[
          ...namedOptions(ui, storages),
          ...(signs ? ["command"] : BUILT_IN).map((value) => ({
            value,
            label: ui.t(`secret_storages.kinds.${value}`),
          })),
        ]}
      />
      <Field
        {...field("path")}
        class="for-source"
        autocomplete="off"
        hint={ui.t(signs ? "keys.signer_hint" : "secret_storages.path_hint")}
      />
      {!signs && (
        <Field
          {...field("field")}
          class="for-source"
          autocomplete="off"
          hint={ui.t("secret_storages.field_hint")}
        />
      )}
    </>
  );
}

/** Returns the fields of a source. */
export function shownSource(source: Omit<SecretSource, "field"> | null | undefined) {
  if (!source) return source;
  const { storage_id, type, ...others } = source;
  return { place: String(storage_id ?? type), ...others };
}

/** Returns the values of a form with a source as the API takes it, or without one. */
export function readSourceFields(values: FormValues, name: string): FormValues {
  const { [`${name}.place`]: place = "", ...others } = values;
  const rest = place === ""
    ? Object.entries(others).filter(([field]) => !field.startsWith(`${name}.`))
    : Object.entries(others);
  const part = BUILT_IN.includes(place) ? "type" : "storage_id";
  return { ...Object.fromEntries(rest), ...place !== "" && { [`${name}.${part}`]: place } };
}

/** Returns errors with those of the place at the field that shows it. */
export const atSource = <Error,>(errors: Record<string, Error>): Record<string, Error> =>
  Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [
      name.replace(/(?<=source\.)(?:storage_id|type)$/, "place"),
      error,
    ]),
  );
