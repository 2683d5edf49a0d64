import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("secret_storages", "storageId", secretStorageService);
export { handler, UsesPage as default };
