import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { inventoryType } from "@/components/inventories/InventoryFields.tsx";
import { Dash } from "@/components/ui/cells.tsx";
import { define } from "@/lib/web/state.ts";
import { inventoryService } from "@/lib/parts/inventories/service.ts";

export const handler = define.handlers({
  async GET({ state }) {
    return page({ inventories: await inventoryService.list(state.scope) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="inventories"
    rows={data.inventories}
    columns={[
      {
        label: ui.t("inventories.type"),
        class: "whitespace-nowrap",
        cell: ({ type }) => inventoryType(ui, type),
      },
      {
        label: ui.t("inventories.path"),
        kind: "text",
        cell: ({ type, inventory }) =>
          type === "file" ? <code class="clamp" title={inventory}>{inventory}</code> : <Dash />,
      },
    ]}
  />
));
