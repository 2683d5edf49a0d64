import { onlyMethods } from "@/lib/web/methods.ts";
import { openApiText } from "@/lib/web/openapi/service.ts";

export const handler = onlyMethods({
  GET({ state }) {
    return new Response(openApiText(state.deps), {
      headers: { "Content-Type": "application/json", "Cache-Control": "no-cache" },
    });
  },
});
