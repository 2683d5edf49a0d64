import { answer, api } from "@/lib/web/api.ts";
import { webhookOperations } from "@/lib/triggers/webhooks/operations.ts";
import { listDeliveries } from "@/lib/triggers/webhooks/service.ts";

export const handler = api(
  answer(
    webhookOperations.listDeliveries,
    ({ deps, actor, ids }) => listDeliveries(deps, actor, ids.projectId, ids.integrationId),
  ),
);
