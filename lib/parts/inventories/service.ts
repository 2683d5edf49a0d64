import { resourceService } from "../resources/service.ts";
import { inventoryRows } from "./repository.ts";
import type { InventoryForm, InventoryRow, InventoryView } from "./schema.ts";

export const inventoryService = resourceService<InventoryRow, InventoryView, InventoryForm>({
  rows: inventoryRows,
  event: ({ name }) => ({ object: "inventory", name }),
  view: (row) => ({ ...row, holder_id: null }),
  fields: (_scope, form) => form,
  targets: ({ ssh_key_id, become_key_id, repository_id }) => ({
    ssh_key_id: ssh_key_id === null ? null : ["keys", ssh_key_id],
    become_key_id: become_key_id === null ? null : ["keys", become_key_id],
    repository_id: repository_id === null ? null : ["repositories", repository_id],
  }),
});
