import { answer, api } from "@/lib/http/api.ts";
import { webhookOperations } from "@/lib/webhooks/operations.ts";
import { listDeliveries } from "@/lib/webhooks/service.ts";

export const handler = api(
  answer(
    webhookOperations.listDeliveries,
    ({ deps, actor, ids }) => listDeliveries(deps, actor, ids.projectId, ids.integrationId),
  ),
);
