import type { ProjectScope } from "../../access/scope.ts";
import type { Expected } from "../../base/version.ts";
import { runnerTagOf } from "../../base/text/labels.ts";
import { rowKeys } from "../../store/keys.ts";
import { resourceService } from "../common/service.ts";
import { inventoryKeys, keyListView, listedKeys } from "../common/key_list.ts";
import { requireSshKeys } from "../common/key_rules.ts";
import { keptPaths } from "../common/keep_paths.ts";
import { forgetKeptFiles } from "../common/kept_files.ts";
import { inventoryRows } from "./repository.ts";
import type { InventoryForm, InventoryRow, InventoryView } from "./schema.ts";

const inventories = resourceService<InventoryRow, InventoryView, InventoryForm>({
  rows: inventoryRows,
  event: ({ name }) => ({ object: "inventory", name }),
  view: ({ runner_labels, empty_runner_tag, ssh_keys, ...row }) => ({
    ...row,
    ...keyListView(listedKeys({ ...row, ssh_keys })),
    runner_tag: runnerTagOf({ runner_labels, empty_runner_tag }),
    holder_id: null,
  }),
  fields: (
    _scope,
    { ssh_key_id, ssh_key_ids, ssh_key_hosts, own_key, toolchain_id, keep_paths, ...form },
    stored,
  ) => ({
    ...form,
    toolchain_id: (toolchain_id === undefined ? stored?.toolchain_id : toolchain_id) ?? null,
    keep_paths: (keep_paths === undefined ? stored?.keep_paths : keep_paths) || null,
    ...inventoryKeys({ ssh_key_id, ssh_key_ids, ssh_key_hosts }, stored ?? {}),
    own_key: own_key ?? stored?.own_key ?? false,
  }),
  targets: ({ become_key_id, repository_id, toolchain_id, ...row }) => ({
    ...Object.fromEntries(
      listedKeys(row).map(({ id }, n) => [keyField(n), ["keys", id] as const]),
    ),
    become_key_id: become_key_id === null ? null : ["keys", become_key_id],
    repository_id: repository_id === null ? null : ["repositories", repository_id],
    toolchain_id: toolchain_id ? ["toolchains", toolchain_id] : null,
  }),
  // A password can only be that of the first key. Keys with rules are in the agent.
  checkTargets: (row, targets) =>
    requireSshKeys(
      targets,
      listedKeys(row).flatMap(({ hosts }, n) => n > 0 || hosts ? [keyField(n)] : []),
    ),
  whole: ({ ssh_keys, ...row }) => ({ ...row, ...keyListView(listedKeys({ ...row, ssh_keys })) }),
});

const keyField = (n: number) => n === 0 ? "ssh_key_id" : `ssh_key_ids.${n}`;

export const inventoryService = {
  ...inventories,

  /** Changes the inventory. Without paths to keep, the kept files are removed. */
  async update(
    scope: ProjectScope<"manage_resources">,
    id: number,
    form: InventoryForm,
    expected?: Expected,
  ): Promise<void> {
    await inventories.update(scope, id, form, expected);
    const { deps: { kv }, projectId } = scope;
    const found = await inventoryRows.find(kv, projectId, id);
    if (found && keptPaths(found.row.keep_paths).length === 0) {
      await forgetKeptFiles(kv, { projectId, kind: "inventories", id });
    }
  },

  /** Deletes the inventory, its number of hosts, and the files that its runs keep. */
  async delete(
    scope: ProjectScope<"manage_resources">,
    id: number,
    expected?: Expected,
  ): Promise<void> {
    await inventories.delete(scope, id, expected);
    const { deps: { kv }, projectId } = scope;
    await kv.delete(rowKeys.hostCount(projectId, id));
    await forgetKeptFiles(kv, { projectId, kind: "inventories", id });
  },
};
