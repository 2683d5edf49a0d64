import { dispatcher } from "@/lib/web/api/dispatch.ts";
import { bindings } from "./(_tables)/all.ts";

/** Handles all API calls. Unknown paths are not found. */
export const handler = dispatcher(bindings);
