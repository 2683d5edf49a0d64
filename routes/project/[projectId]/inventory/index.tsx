import { page } from "fresh";
import { HostCount } from "@/components/inventories/HostCount.tsx";
import { inventoryType } from "@/components/inventories/InventoryFields.tsx";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { define } from "@/lib/web/state.ts";
import { listInventories, listUses } from "@/lib/uses/service.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [rows, uses] = await Promise.all([
      listInventories(scope),
      listUses(scope, "inventories"),
    ]);
    return page({ rows, uses, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="inventories"
    {...data}
    columns={[
      {
        id: "type",
        label: ui.t("inventories.type"),
        class: "whitespace-nowrap",
        value: ({ type }) => inventoryType(ui, type),
        cell: ({ type }) => inventoryType(ui, type),
      },
      {
        id: "path",
        label: ui.t("inventories.path"),
        kind: "text",
        value: ({ path }) => path,
        cell: ({ path }) =>
          path === null ? <Dash /> : <code class="clamp" title={path}>{path}</code>,
      },
      {
        id: "hosts",
        label: ui.t("inventories.hosts"),
        named: true,
        value: ({ hosts }) => hosts,
        usual: "desc",
        cell: (inventory) => <HostCount ui={ui} inventory={inventory} />,
      },
    ]}
  />
));
