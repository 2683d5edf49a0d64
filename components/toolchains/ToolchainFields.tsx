import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { isPassword, type KeyView } from "../../lib/resources/keys/schema.ts";
import { TOOLCHAIN_KINDS } from "../../lib/resources/toolchains/schema.ts";
import { namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";

export const toolchainLabels = (ui: Ui) => ({
  name: ui.t("toolchains.name"),
  kind: ui.t("toolchains.kind"),
  ansible_core: ui.t("toolchains.ansible_core"),
  python: ui.t("toolchains.python"),
  pip: ui.t("toolchains.pip"),
  collections: ui.t("toolchains.collections"),
  path: ui.t("toolchains.path"),
  image: ui.t("toolchains.image"),
  galaxy_url: ui.t("toolchains.galaxy_url"),
  galaxy_key_id: ui.t("toolchains.galaxy_key"),
});

interface ToolchainFieldsProps {
  ui: Ui;
  form: FormState;
  /** The keys of the project; missing for a toolchain of the server, which has none. */
  keys?: KeyView[];
}

/** Fields for the parts of a toolchain, or for its place. */
export function ToolchainFields({ ui, form, keys }: ToolchainFieldsProps) {
  const labels = toolchainLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <div class="toolchain-fields form-fields">
      <Field {...field("name")} required autofocus />
      <Segments
        {...field("kind")}
        options={TOOLCHAIN_KINDS.map((value) => ({
          value,
          label: ui.t(`toolchains.kinds.${value}`),
        }))}
      />
      <Field
        {...field("ansible_core")}
        class="half for-built"
        hint={ui.t("toolchains.ansible_core_hint")}
      />
      <Field
        {...field("python")}
        class="half for-built"
        hint={ui.t("toolchains.python_hint")}
      />
      <TextArea {...field("pip")} class="for-built" rows={3} placeholder="netaddr>=1.0" code />
      <TextArea
        {...field("collections")}
        class="for-built"
        rows={3}
        placeholder="community.general:>=8,<9"
        code
      />
      {keys && (
        <>
          <Field
            {...field("galaxy_url")}
            class="half for-built"
            placeholder="https://galaxy.example.com/api/"
            hint={ui.t("toolchains.galaxy_url_hint")}
          />
          <Select
            {...field("galaxy_key_id")}
            class="half for-built"
            blank={ui.t("lists.none")}
            options={namedOptions(ui, keys.filter(isPassword))}
            hint={ui.t("toolchains.galaxy_key_hint")}
          />
        </>
      )}
      <Field
        {...field("path")}
        class="for-path"
        required
        placeholder="/opt/ansible"
        hint={ui.t("toolchains.path_hint")}
      />
      <Field
        {...field("image")}
        class="for-image"
        required
        placeholder="quay.io/ansible/community-ee-base:2.19"
        hint={ui.t("toolchains.image_hint")}
      />
    </div>
  );
}

interface ToolchainSelectProps {
  ui: Ui;
  form: FormState;
  toolchains: { id: number; name: string }[];
  /** The object that chooses, which decides what applies without a choice. */
  of: "template" | "inventory" | "project";
  class?: string;
}

/** The choice of a toolchain. */
export const ToolchainSelect = ({ ui, form, toolchains, of, ...more }: ToolchainSelectProps) => (
  <Select
    ui={ui}
    form={form}
    {...more}
    name="toolchain_id"
    label={ui.t("toolchains.field")}
    blank={ui.t(`toolchains.of_${of}`)}
    options={toolchains.map(({ id, name }) => ({ value: id, label: name }))}
  />
);
