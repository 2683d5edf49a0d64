import { InventoryPing, InventoryTrial } from "@/components/probes/InventoryTrial.tsx";
import { InventoryFields, inventoryLabels } from "@/components/inventories/InventoryFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { inventoryForm } from "@/lib/resources/inventories/schema.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { define } from "@/lib/web/state.ts";
import { inventoryPing, inventoryTrial } from "@/routes/(_pages)/trials.ts";
import { becomeKeys, readInventoryForm, requireOfferedKey } from "@/routes/(_pages)/inventories.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resource_form.ts";

export const handler = resourceFormHandlers({
  noun: "inventories",
  param: "inventoryId",
  service: inventoryService,
  form: inventoryForm,
  changeForm: () => inventoryForm,
  async beside(scope, inventory, values) {
    const [keys, repositories, trial, ping] = await Promise.all([
      keyService.list(scope),
      repositoryService.list(scope),
      inventoryTrial(scope, inventory, values),
      inventoryPing(scope, inventory, values),
    ]);
    return { keys, rootKeys: becomeKeys(keys, inventory), repositories, trial, ping };
  },
  redrawn: (values) => values.trial ? values : null,
  choices: ({ keys, repositories }) => ({
    ssh_key_id: keys,
    become_key_id: keys,
    repository_id: repositories,
  }),
  check: requireOfferedKey,
  // The path of a file has its own field.
  shown(stored) {
    if (stored?.type !== "file") return stored ?? { type: "static" };
    const { inventory: path, ...fields } = stored;
    return { ...fields, path };
  },
  read: readInventoryForm,
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="inventories"
    labels={inventoryLabels(ui)}
    width="wide"
    {...data}
  >
    <InventoryFields ui={ui} {...data} />
    <InventoryTrial ui={ui} trial={data.trial} />
    <InventoryPing ui={ui} ping={data.ping} />
  </ResourceForm>
));
