import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { INVENTORY_TYPES, type InventoryView } from "../../lib/resources/inventories/schema.ts";
import type { KeyView } from "../../lib/resources/keys/schema.ts";
import type { RepositoryView } from "../../lib/resources/repositories/schema.ts";
import { FIRST_PATTERNS, KEY_LIST, KeyRows, keyRowSummary } from "../keys/KeyRows.tsx";
import { LabelsField } from "../placement/LabelsField.tsx";
import { CodeField } from "../editor/CodeField.tsx";
import { Checkbox, namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import { ToolchainSelect } from "../toolchains/ToolchainFields.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";

/** Labels of an inventory's fields. `path` is the form's own name for a file's `inventory`. */
export const inventoryLabels = (ui: Ui) => ({
  name: ui.t("inventories.name"),
  ssh_key_id: ui.t("inventories.user_key"),
  become_key_id: ui.t("inventories.become_key"),
  own_key: ui.t("templates.own_key"),
  type: ui.t("inventories.type"),
  inventory: ui.t("inventories.hosts"),
  path: ui.t("inventories.path_to_file"),
  repository_id: ui.t("inventories.repository"),
  runner_tag: ui.t("placement.labels"),
  keep_paths: ui.t("keep_paths.label"),
  toolchain_id: ui.t("toolchains.field"),
});

export const inventoryType = (ui: Ui, type: InventoryView["type"]): string =>
  ui.t(`inventories.types.${type}`);

interface InventoryFieldsProps {
  ui: Ui;
  form: FormState;
  keys: KeyView[];
  /** Keys that can be used to become root. */
  rootKeys: KeyView[];
  repositories: RepositoryView[];
  runnerLabels: string[];
  toolchains: { id: number; name: string }[];
}

const sshKeys = (keys: KeyView[]) => keys.filter(({ type }) => type === "ssh");

/** The hosts, and the keys to connect to them. */
export function InventoryFields(
  { ui, form, keys, rootKeys, repositories, runnerLabels, toolchains }: InventoryFieldsProps,
) {
  const labels = inventoryLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <div class="inventory-fields form-fields">
      <Field {...field("name")} required autofocus />
      <Select
        {...field("ssh_key_id")}
        class="half for-stored-key"
        required
        blank={ui.t("lists.choose")}
        options={namedOptions(ui, keys)}
        hint={ui.t("inventories.user_key_hint")}
      />
      <Select
        {...field("become_key_id")}
        class="half"
        blank={ui.t("lists.none")}
        options={namedOptions(ui, rootKeys)}
        hint={ui.t("inventories.become_key_hint")}
      />
      <Segments
        {...field("type")}
        options={INVENTORY_TYPES.map((value) => ({ value, label: inventoryType(ui, value) }))}
      />
      <CodeField
        {...field("inventory")}
        class="for-text"
        mode={form.values.type === "static-yaml" ? "yaml" : "ini"}
        rows={7}
        placeholder={form.values.type === "static-yaml" ? YAML_EXAMPLE : INI_EXAMPLE}
      />
      <Field
        {...field("path")}
        class="half for-file"
        required
        placeholder="invs/prod/hosts"
      />
      <Select
        {...field("repository_id")}
        class="half for-file"
        blank={ui.t("inventories.own_repository")}
        options={namedOptions(ui, repositories)}
      />
      <FoldedSections>
        <MoreSection {...{ ui, form, keys, runnerLabels, toolchains }} />
      </FoldedSections>
    </div>
  );
}

type MoreProps = Pick<
  InventoryFieldsProps,
  "ui" | "form" | "keys" | "runnerLabels" | "toolchains"
>;

/** Keys that few inventories need, and where their tasks run. */
function MoreSection({ ui, form, keys, runnerLabels, toolchains }: MoreProps) {
  const common = { ui, form };
  const { own_key, runner_tag, toolchain_id, keep_paths } = inventoryLabels(ui);
  return (
    <FoldedSection
      {...common}
      id="inventory-more"
      title={ui.t("inventories.more")}
      fields={[
        { name: "own_key", text: ui.t("templates.briefs.own_key") },
        { name: FIRST_PATTERNS, text: "{{value}}" },
        ...keyRowSummary(ui, form, keys),
        { name: "runner_tag", text: ui.labelled(runner_tag, "{{value}}") },
        {
          name: "toolchain_id",
          text: ui.labelled(toolchain_id, "{{value}}"),
          options: namedOptions(ui, toolchains),
        },
        { name: "keep_paths", text: keep_paths },
      ]}
      holds={["own_key", FIRST_PATTERNS, KEY_LIST, "runner_tag", "toolchain_id", "keep_paths"]}
      open={Boolean(form.values.ssh_key)}
    >
      <Checkbox
        {...common}
        name="own_key"
        label={own_key}
        hint={ui.t("templates.own_key_hint")}
      />
      <KeyRows {...common} keys={sshKeys(keys)} before={1} />
      <LabelsField {...common} hint={ui.t("placement.inventory_hint")} known={runnerLabels} />
      <ToolchainSelect {...common} toolchains={toolchains} of="inventory" />
      <TextArea
        {...common}
        name="keep_paths"
        label={keep_paths}
        hint={ui.t("keep_paths.inventory_hint")}
        rows={2}
      />
    </FoldedSection>
  );
}

const INI_EXAMPLE = `[web]
web1.example.com
web2.example.com ansible_user=deploy`;

const YAML_EXAMPLE = `all:
  children:
    web:
      hosts:
        web1.example.com:
        web2.example.com:`;
