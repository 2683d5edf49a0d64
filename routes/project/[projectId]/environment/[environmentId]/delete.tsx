import { environmentService } from "@/lib/resources/environments/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("environments", "environmentId", environmentService);
export { DeletePage as default, handler };
