import { healthOperations } from "@/lib/telling/health/operations.ts";
import { checkHealth } from "@/lib/telling/health/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(healthOperations.check, async ({ deps }) => {
    const health = await checkHealth(deps);
    return Response.json(health, {
      status: health.status === "failing" ? 503 : 200,
      headers: { "Cache-Control": "no-store" },
    });
  }),
);
