import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("repositories", "repositoryId", repositoryService);
export { DeletePage as default, handler };
