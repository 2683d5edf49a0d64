import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("inventories", "inventoryId", inventoryService);
export { handler, UsesPage as default };
