import { InventoryPing, InventoryTest } from "@/components/connection_tests/InventoryTest.tsx";
import { InventoryFields, inventoryLabels } from "@/components/inventories/InventoryFields.tsx";
import { KEY_LIST, keyRowLabels } from "@/components/keys/KeyRows.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { inventoryChangeForm, inventoryForm } from "@/lib/resources/inventories/schema.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { keyRowsOf } from "@/lib/resources/common/key_list.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { listChoosable } from "@/lib/resources/toolchains/service.ts";
import { listRunnerLabels } from "@/lib/runners/service.ts";
import { spacedLabels } from "@/lib/base/text/labels.ts";
import { define } from "@/lib/web/state.ts";
import { inventoryPing, inventoryTest } from "@/routes/(_pages)/resources/connection_tests.ts";
import {
  becomeKeys,
  readInventoryForm,
  requireOfferedKey,
} from "@/routes/(_pages)/resources/inventories.ts";
import { withOtherKeys } from "@/routes/(_pages)/resources/key_rows.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";

export const handler = resourceFormHandlers({
  noun: "inventories",
  param: "inventoryId",
  service: inventoryService,
  form: inventoryForm,
  changeForm: inventoryChangeForm,
  async beside(scope, inventory, values) {
    const [keys, repositories, runnerLabels, toolchains, test, ping] = await Promise.all([
      keyService.list(scope),
      repositoryService.list(scope),
      listRunnerLabels(scope),
      listChoosable(scope),
      inventoryTest(scope, inventory, values),
      inventoryPing(scope, inventory, values),
    ]);
    const rootKeys = becomeKeys(keys, inventory);
    return { keys, rootKeys, repositories, runnerLabels, toolchains, test, ping };
  },
  redrawn(sent) {
    const values = withOtherKeys(sent) ?? (sent.test ? sent : null);
    return values && { values };
  },
  choices: ({ keys, repositories, toolchains }) => ({
    toolchain_id: toolchains,
    ssh_key_id: keys,
    become_key_id: keys,
    repository_id: repositories,
  }),
  check: requireOfferedKey,
  // The path of a file has its own field.
  shown(stored) {
    if (!stored) return { type: "static" };
    const { inventory, ssh_key_ids: _ids, ssh_key_hosts: _hosts, ...fields } = stored;
    const [first, ...others] = keyRowsOf(stored);
    const runner_tag = spacedLabels(stored.runner_tag);
    const keyRows = { ssh_key_patterns: first?.hosts, [KEY_LIST]: others };
    return {
      ...fields,
      ...keyRows,
      runner_tag,
      [stored.type === "file" ? "path" : "inventory"]: inventory,
    };
  },
  read: readInventoryForm,
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="inventories"
    labels={{ ...inventoryLabels(ui), ...keyRowLabels(ui, data.form, 1) }}
    width="wide"
    {...data}
  >
    <InventoryFields ui={ui} {...data} />
    <InventoryTest ui={ui} test={data.test} />
    <InventoryPing ui={ui} ping={data.ping} />
  </ResourceForm>
));
