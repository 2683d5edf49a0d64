import { repositoryService } from "@/lib/parts/repositories/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("repositories", "repositoryId", repositoryService);
export { handler, UsesPage as default };
