import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { deliveryDetailsSchema, deliverySchema, webhookAnswerSchema } from "./schema.ts";

const tag = "Integrations";
const call = {
  path: "/integrations/{alias}",
  tag,
  access: "public",
  answer: webhookAnswerSchema,
  status: 200,
  errors: [400, 401, 404, 409, 413, 429],
} as const;

export const webhookOperations = {
  call: operation({
    ...call,
    id: "callWebhook",
    method: "POST",
    summary: "Start what the address reaches and the call matches; any body of at most 1 MiB",
  }),
  callByGet: operation({
    ...call,
    id: "callWebhookByGet",
    method: "GET",
    isUnsafe: true,
    summary: "The same for callers that can only open an address",
  }),
  listDeliveries: operation({
    id: "listDeliveries",
    method: "GET",
    path: "/project/{projectId}/integrations/{integrationId}/deliveries",
    tag,
    summary: "The newest 100 calls that reached the integration, and what came of them",
    access: "manage_resources",
    answer: z.array(deliverySchema),
  }),
  getDelivery: operation({
    id: "getDelivery",
    method: "GET",
    path: "/project/{projectId}/integrations/{integrationId}/deliveries/{deliveryId}",
    tag,
    summary: "One call, with its body where bodies are kept",
    access: "manage_resources",
    answer: deliveryDetailsSchema,
  }),
};
