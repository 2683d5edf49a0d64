import { define } from "@/lib/web/state.ts";
import { errorResponse, tellError } from "@/lib/web/translate_errors.ts";
import { readMetrics } from "@/lib/monitoring/metrics/service.ts";

export const handler = define.handlers({
  async GET({ req, state }) {
    try {
      const { text, contentType } = await readMetrics(state.deps, req.headers);
      return new Response(text, {
        headers: { "Content-Type": contentType, "Cache-Control": "no-store" },
      });
    } catch (error) {
      // Requested by programs, so errors never lead to the sign-in page.
      return errorResponse(tellError(error, state), req);
    }
  },
});
