import { answer, api } from "@/lib/http/api.ts";
import { webhookOperations } from "@/lib/webhooks/operations.ts";
import { getDelivery } from "@/lib/webhooks/service.ts";

export const handler = api(
  answer(
    webhookOperations.getDelivery,
    ({ deps, actor, ids }) =>
      getDelivery(deps, actor, ids.projectId, ids.integrationId, ids.deliveryId),
  ),
);
