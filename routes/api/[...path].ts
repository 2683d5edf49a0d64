import { dispatcher } from "@/lib/web/api/dispatch.ts";
import { allOperations } from "@/lib/web/api/operations.ts";

/** Handles all API calls. Unknown paths are not found. */
export const handler = dispatcher(allOperations);
