import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("secret_storages", "storageId", secretStorageService);
export { DeletePage as default, handler };
