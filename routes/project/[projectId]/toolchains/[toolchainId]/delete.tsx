import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("toolchains", "toolchainId", toolchainService);
export { DeletePage as default, handler };
