import { keyService } from "@/lib/resources/keys/service.ts";
import { usesPage } from "@/routes/(_pages)/uses.tsx";

const { handler, UsesPage } = usesPage("keys", "keyId", keyService);
export { handler, UsesPage as default };
