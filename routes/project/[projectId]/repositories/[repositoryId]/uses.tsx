import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("repositories", "repositoryId", repositoryService);
export { handler, UsesPage as default };
