import { dispatcher } from "@/lib/web/api/dispatch.ts";
import { bindings } from "./(_tables)/all.ts";

/** The calls of the API; what none of them answers is not found. */
export const handler = dispatcher(bindings);
