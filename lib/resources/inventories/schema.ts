import * as z from "zod";
import { staysInside } from "../../execution/git/url.ts";
import { runnerTagField, typedLabels } from "../../base/text/labels.ts";
import {
  flagField,
  longTextField,
  nameField,
  optionalIdField,
  preservedFlag,
  saidIdField,
} from "../../base/fields.ts";
import { keepPathsField } from "../common/keep_paths.ts";
import {
  keyListFields,
  keyListOf,
  keyListViews,
  keyPatternsField,
  keyRowsField,
} from "../common/key_list.ts";
import type { ListedKey } from "../../model/template_row.ts";

export const INVENTORY_TYPES = ["static", "static-yaml", "file"] as const;
/** Types of other servers for apps that are not supported here. */
const FOREIGN_TYPES = /^(terraform|tofu)-/;
type InventoryType = (typeof INVENTORY_TYPES)[number];

const fields = z.object({
  name: nameField,
  type: z.enum(INVENTORY_TYPES, {
    error: ({ input }) =>
      FOREIGN_TYPES.test(String(input)) ? "errors.templates.app" : "errors.unknown_type",
  }),
  /** The inventory's text, or for type `file` the path inside the repository. */
  inventory: longTextField,
  /** The first of `ssh_key_ids`, for clients that only know one. */
  ssh_key_id: saidIdField,
  ...keyListFields,
  become_key_id: optionalIdField,
  /** Whether tasks sign in with an SSH key of their starter instead. */
  own_key: preservedFlag,
  /** Repository of a `file`; null for the playbook's repository. */
  repository_id: optionalIdField,
  /** Labels of runners. One runner must have all of them. */
  runner_tag: runnerTagField,
  /** The Ansible of its tasks, if their template has none; null for that of the project. */
  toolchain_id: saidIdField,
  /** Paths in the repository of a `file` whose files are kept between runs. */
  keep_paths: keepPathsField,
}).superRefine(({ type, inventory }, ctx) => {
  if (type !== "file") return;
  const wrong = (message: string) => ctx.addIssue({ code: "custom", path: ["inventory"], message });
  if (inventory.trim() === "") wrong("errors.required");
  else if (inventory.length > 1000 || !staysInside(inventory.trim())) {
    wrong("errors.inventories.path_outside");
  }
});

const asStored = ({ runner_tag, ...form }: z.output<typeof fields>) => ({
  ...form,
  inventory: form.type === "file" ? form.inventory.trim() : form.inventory,
  repository_id: form.type === "file" ? form.repository_id : null,
  ...runner_tag,
});

/** Body of an API request. Unlike the form, it does not require a key. */
export const inventoryBody = fields.transform(asStored).meta({
  example: {
    name: "Staging",
    type: "static",
    inventory: "[web]\nweb1.example.com\n",
    ssh_key_id: 1,
    become_key_id: null,
  },
});
export type InventoryForm = z.output<typeof inventoryBody>;

/** The form of an inventory. Messages are locale keys, never sentences. */
export const inventoryForm = fields.safeExtend({
  own_key: flagField,
  /** The first key's patterns, and the other keys. */
  ssh_key_patterns: keyPatternsField,
  ssh_keys: keyRowsField,
}).refine(
  ({ ssh_key_id, own_key }) => ssh_key_id || own_key,
  { path: ["ssh_key_id"], error: "errors.required" },
).transform(({ ssh_key_patterns, ssh_keys, runner_tag, ...form }) =>
  asStored({
    ...form,
    runner_tag: typedLabels(runner_tag),
    ...keyListOf([{ id: form.ssh_key_id, hosts: ssh_key_patterns }, ...ssh_keys ?? []]),
  })
);

/** The form of a stored inventory. */
export const inventoryChangeForm = ({ runner_tag }: Pick<InventoryView, "runner_tag">) =>
  inventoryForm.transform((form) => ({ ...form, ...typedLabels(form, runner_tag) }));

export const inventorySchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  type: z.enum(INVENTORY_TYPES),
  inventory: z.string(),
  ssh_key_id: z.int().nullable(),
  ...keyListViews,
  become_key_id: z.int().nullable(),
  own_key: z.boolean(),
  repository_id: z.int().nullable(),
  /** Labels of runners, joined by commas; null for none. */
  runner_tag: z.string().nullable(),
  /** The Ansible of its tasks, if their template has none; null for that of the project. */
  toolchain_id: z.int().nullable(),
  /** Paths in its repository whose files are kept between runs, one in each line; null for none. */
  keep_paths: z.string().nullable(),
  /** Always null. Older clients expect the member. */
  holder_id: z.null(),
});
/** An inventory as the API returns it. */
export type InventoryView = z.output<typeof inventorySchema>;

/** A stored inventory. */
export interface InventoryRow extends
  Omit<
    InventoryView,
    | "holder_id"
    | "runner_tag"
    | keyof typeof keyListViews
  > {
  /** All keys, unless there is only one for all hosts. */
  ssh_keys?: ListedKey[];
  runner_labels?: string[];
  empty_runner_tag?: boolean;
}
