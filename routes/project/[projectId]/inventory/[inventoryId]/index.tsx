import { page } from "fresh";
import { InventoryFields, inventoryLabels } from "@/components/inventories/InventoryFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { define, type State } from "@/lib/web/state.ts";
import {
  type FormState,
  LONG_FORM_BYTES_MAX,
  newForm,
  parseValues,
  readForm,
  saveForm,
} from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { becomeKeys, saveInventory } from "@/routes/(_pages)/inventories.ts";
import { inventoryForm, type InventoryView } from "@/lib/parts/inventories/schema.ts";
import { inventoryService } from "@/lib/parts/inventories/service.ts";
import { keyService } from "@/lib/parts/keys/service.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { repositoryService } from "@/lib/parts/repositories/service.ts";

/** The inventory that is edited, with what uses it; null for a new one. */
async function readInventory(state: State, idText: string) {
  requirePermission(state.shell, "manage_resources");
  if (idText === "new") return null;
  const id = pageId(idText);
  const [inventory, references] = await Promise.all([
    inventoryService.get(state.scope, id),
    referencesTo(state.scope, ["inventories", id]),
  ]);
  return { ...inventory, references };
}
type Inventory = Awaited<ReturnType<typeof readInventory>>;

async function formPage(state: State, inventory: Inventory, form: FormState, status = 200) {
  const [keys, repositories] = await Promise.all([
    keyService.list(state.scope),
    repositoryService.list(state.scope),
  ]);
  const rootKeys = becomeKeys(keys, inventory);
  return page({ inventory, form, keys, rootKeys, repositories }, { status });
}

/** The path of a file has a field of its own. */
function shownForm({ inventory, type, ...fields }: InventoryView): FormState {
  const place = type === "file" ? { path: inventory } : { inventory };
  return newForm({ ...fields, type, ...place });
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const inventory = await readInventory(state, params.inventoryId);
    const form = inventory ? shownForm(inventory) : newForm({ type: "static" });
    return await formPage(state, inventory, form);
  },

  async POST(ctx) {
    const { state, params } = ctx;
    const inventory = await readInventory(state, params.inventoryId);
    const values = await readForm(ctx.req, LONG_FORM_BYTES_MAX);
    const isFile = values.type === "file";
    const sent = isFile ? { ...values, inventory: values.path ?? "" } : values;
    const { shell: { project } } = state;
    const form = await saveForm(parseValues(sent, inventoryForm), async (value) => {
      await saveInventory(state.scope, inventory, value);
      return value;
    });
    if (!form.ok) {
      const { inventory: place, ...others } = form.errors;
      const errors = isFile && place ? { ...others, path: place } : form.errors;
      return await formPage(state, inventory, { values, errors }, 422);
    }
    const done = inventory ? "flash.inventories.saved" : "flash.inventories.created";
    const { name } = form.result;
    return seeOther(ctx, paths.section(project.id, "inventory"), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="inventories"
    item={data.inventory}
    form={data.form}
    labels={inventoryLabels(ui)}
    references={data.inventory?.references}
  >
    <InventoryFields ui={ui} {...data} />
  </ResourceForm>
));
