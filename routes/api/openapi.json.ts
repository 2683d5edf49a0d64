import { define } from "@/lib/deps.ts";
import { openApiText } from "@/lib/openapi/service.ts";

export const handler = define.handlers({
  GET({ state }) {
    return new Response(openApiText(state.deps), {
      headers: { "Content-Type": "application/json", "Cache-Control": "no-cache" },
    });
  },
});
