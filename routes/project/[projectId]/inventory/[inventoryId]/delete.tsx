import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("inventories", "inventoryId", inventoryService);
export { DeletePage as default, handler };
