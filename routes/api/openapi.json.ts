import { onlyMethods } from "@/lib/http/methods.ts";
import { openApiText } from "@/lib/openapi/service.ts";

export const handler = onlyMethods({
  GET({ state }) {
    return new Response(openApiText(state.deps), {
      headers: { "Content-Type": "application/json", "Cache-Control": "no-cache" },
    });
  },
});
