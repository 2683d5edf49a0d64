import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";
import { inventoryService } from "@/lib/parts/inventories/service.ts";

export const handler = deleteHandlers({
  noun: "inventories",
  param: "inventoryId",
  get: inventoryService.get,
  remove: inventoryService.delete,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="inventories" {...data} />
));
