import { allOperations } from "@/lib/web/api/operations.ts";
import { onlyMethods } from "@/lib/web/api/methods.ts";
import { openApiText } from "@/lib/web/api/openapi/document.ts";

export const handler = onlyMethods({
  GET({ state }) {
    return new Response(openApiText(state.deps.config, allOperations), {
      headers: { "Content-Type": "application/json", "Cache-Control": "no-cache" },
    });
  },
});
