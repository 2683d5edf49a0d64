import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("toolchains", "toolchainId", toolchainService);
export { handler, UsesPage as default };
