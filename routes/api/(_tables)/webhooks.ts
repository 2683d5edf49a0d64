import { readBytes } from "@/lib/http/body.ts";
import { getDelivery, listDeliveries } from "@/lib/triggers/webhooks/deliveries.ts";
import { webhookOperations } from "@/lib/triggers/webhooks/operations.ts";
import { receiveWebhook } from "@/lib/triggers/webhooks/service.ts";
import type { WebhookAnswer } from "@/lib/triggers/webhooks/schema.ts";
import { Answer } from "@/lib/web/api/answer.ts";
import { bind, type PublicScope } from "@/lib/web/api/bind.ts";

const BODY_BYTES_MAX = 1024 * 1024;

export const webhooks = bind(webhookOperations, {
  call: receive,
  callByGet: receive,
  listDeliveries: ({ scope, ids }) => listDeliveries(scope, ids.integrationId),
  getDelivery: ({ scope, ids }) => getDelivery(scope, ids.integrationId, ids.deliveryId),
});

interface Received {
  scope: PublicScope;
  params: { alias: string };
  req: Request;
  address: string;
}

async function receive({ scope, params, req, address }: Received): Promise<Answer<WebhookAnswer>> {
  const { status, answer } = await receiveWebhook(scope.deps, {
    alias: params.alias,
    method: req.method,
    headers: req.headers,
    address,
    readBody: () => readBytes(req, BODY_BYTES_MAX),
  });
  return new Answer(answer, { status, headers: startedHeaders(answer.tasks[0]) });
}

/** Returns headers with the first started task, for clients that do not read the body. */
function startedHeaders(
  task?: { id: number; template_id: number; project_id: number; integration_id: number },
): Record<string, string> {
  if (!task) return {};
  return {
    "X-Semaphore-Task-ID": String(task.id),
    "X-Semaphore-Template-ID": String(task.template_id),
    "X-Semaphore-Project-ID": String(task.project_id),
    "X-Semaphore-Integration-ID": String(task.integration_id),
  };
}
