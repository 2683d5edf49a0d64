import type { ProjectScope } from "../../access/scope.ts";
import type { Expected } from "../../base/version.ts";
import { joinLabels } from "../../base/labels.ts";
import { rowKeys } from "../../kv/keys.ts";
import { resourceService } from "../common/service.ts";
import { inventoryRows } from "./repository.ts";
import type { InventoryForm, InventoryRow, InventoryView } from "./schema.ts";

const inventories = resourceService<InventoryRow, InventoryView, InventoryForm>({
  rows: inventoryRows,
  event: ({ name }) => ({ object: "inventory", name }),
  view: ({ runner_labels = [], ...row }) => ({
    ...row,
    runner_tag: joinLabels(runner_labels) || null,
    holder_id: null,
  }),
  fields: (_scope, form) => form,
  targets: ({ ssh_key_id, become_key_id, repository_id }) => ({
    ssh_key_id: ssh_key_id === null ? null : ["keys", ssh_key_id],
    become_key_id: become_key_id === null ? null : ["keys", become_key_id],
    repository_id: repository_id === null ? null : ["repositories", repository_id],
  }),
});

export const inventoryService = {
  ...inventories,

  /** Deletes the inventory and its number of hosts. */
  async delete(
    scope: ProjectScope<"manage_resources">,
    id: number,
    expected?: Expected,
  ): Promise<void> {
    await inventories.delete(scope, id, expected);
    await scope.deps.kv.delete(rowKeys.hostCount(scope.projectId, id));
  },
};
