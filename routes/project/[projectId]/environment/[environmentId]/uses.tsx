import { environmentService } from "@/lib/resources/environments/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("environments", "environmentId", environmentService);
export { handler, UsesPage as default };
