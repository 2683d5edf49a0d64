import { answer, api } from "@/lib/web/api.ts";
import { webhookOperations } from "@/lib/triggers/webhooks/operations.ts";
import { getDelivery } from "@/lib/triggers/webhooks/service.ts";

export const handler = api(
  answer(
    webhookOperations.getDelivery,
    ({ deps, actor, ids }) =>
      getDelivery(deps, actor, ids.projectId, ids.integrationId, ids.deliveryId),
  ),
);
