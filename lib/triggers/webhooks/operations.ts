import * as z from "zod";
import { operation, type PublicScope } from "../../access/operation.ts";
import {
  deliveryDetailsSchema,
  deliverySchema,
  type WebhookAnswer,
  webhookAnswerSchema,
} from "./schema.ts";
import { readBytes } from "../../http/body.ts";
import { getDelivery, listDeliveries } from "./deliveries.ts";
import { receiveWebhook } from "./service.ts";
import { Answer } from "../../access/answer.ts";

const tag = "Integrations";
const call = {
  path: "/integrations/{alias}",
  tag,
  access: "public",
  answer: webhookAnswerSchema,
  status: 200,
  errors: [400, 401, 404, 409, 413, 429],
} as const;

const BODY_BYTES_MAX = 1024 * 1024;

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

export const webhookOperations = [
  operation({
    ...call,
    id: "callWebhook",
    takesAnyQuery: true,
    method: "POST",
    summary: "Call a webhook",
    details:
      "Starts the integrations that match the call. The body may have any format, and at most 1" +
      " MiB.",
    run: receive,
  }),
  operation({
    ...call,
    id: "callWebhookByGet",
    takesAnyQuery: true,
    method: "GET",
    isUnsafe: true,
    summary: "Call a webhook without a body",
    details: "For callers that can only open an address.",
    run: receive,
  }),
  operation({
    id: "listDeliveries",
    method: "GET",
    path: "/project/{projectId}/integrations/{integrationId}/deliveries",
    tag,
    summary: "List the deliveries of an integration",
    details: "The latest 100 calls that reached it, and their results.",
    access: "manage_triggers",
    answer: z.array(deliverySchema),
    run: ({ scope, ids }) => listDeliveries(scope, ids.integrationId),
  }),
  operation({
    id: "getDelivery",
    method: "GET",
    path: "/project/{projectId}/integrations/{integrationId}/deliveries/{deliveryId}",
    tag,
    summary: "Get a delivery of an integration",
    details: "With its body, if the integration keeps bodies.",
    access: "manage_triggers",
    answer: deliveryDetailsSchema,
    run: ({ scope, ids }) => getDelivery(scope, ids.integrationId, ids.deliveryId),
  }),
];
