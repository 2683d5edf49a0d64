import { keyService } from "@/lib/resources/keys/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("keys", "keyId", keyService);
export { DeletePage as default, handler };
