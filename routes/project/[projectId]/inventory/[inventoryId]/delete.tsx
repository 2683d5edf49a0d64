import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/deps.ts";
import { deleteHandlers } from "@/lib/http/delete_page.ts";
import { deleteInventory, getInventory } from "@/lib/inventories/service.ts";

export const handler = deleteHandlers({
  noun: "inventories",
  param: "inventoryId",
  get: getInventory,
  remove: deleteInventory,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="inventories" {...data} />
));
