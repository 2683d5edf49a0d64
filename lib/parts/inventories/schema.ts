import { z } from "zod";
import { staysInside } from "../../execution/git/url.ts";
import { longTextField, nameField, optionalIdField } from "../../base/fields.ts";

export const INVENTORY_TYPES = ["static", "static-yaml", "file"] as const;
/** Types of other servers, for what does not run here. */
const FOREIGN_TYPES = /^(terraform|tofu)-/;
type InventoryType = (typeof INVENTORY_TYPES)[number];

const fields = z.object({
  name: nameField,
  type: z.enum(INVENTORY_TYPES, {
    error: ({ input }) =>
      FOREIGN_TYPES.test(String(input)) ? "errors.templates.app" : "errors.unknown_type",
  }),
  /** The text itself, or for type `file` the path inside the repository. */
  inventory: longTextField,
  ssh_key_id: optionalIdField,
  become_key_id: optionalIdField,
  /** Where a `file` lies; null for the repository of the playbook. */
  repository_id: optionalIdField,
}).superRefine(({ type, inventory }, ctx) => {
  if (type !== "file") return;
  const wrong = (message: string) => ctx.addIssue({ code: "custom", path: ["inventory"], message });
  if (inventory.trim() === "") wrong("errors.required");
  else if (inventory.length > 1000 || !staysInside(inventory.trim())) {
    wrong("errors.inventories.path_outside");
  }
});

const asStored = (form: z.output<typeof fields>) => ({
  ...form,
  inventory: form.type === "file" ? form.inventory.trim() : form.inventory,
  repository_id: form.type === "file" ? form.repository_id : null,
});

/** What clients of the API may send: to get by without keys is theirs to choose. */
export const inventoryBody = fields.transform(asStored);
export type InventoryForm = z.output<typeof inventoryBody>;

/** What a person may type. Messages are locale keys, never sentences. */
export const inventoryForm = fields.refine(
  ({ ssh_key_id }) => ssh_key_id !== null,
  { path: ["ssh_key_id"], error: "errors.required" },
).transform(asStored);

export const inventorySchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  type: z.enum(INVENTORY_TYPES),
  inventory: z.string(),
  ssh_key_id: z.int().nullable(),
  become_key_id: z.int().nullable(),
  repository_id: z.int().nullable(),
  /** Always null: older clients expect the member. */
  holder_id: z.null(),
});
/** What the API answers. */
export type InventoryView = z.output<typeof inventorySchema>;

/** What is stored. */
export type InventoryRow = Omit<InventoryView, "holder_id">;
