import * as z from "zod";
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
    takesAnyQuery: true,
    method: "POST",
    summary: "Call a webhook",
    details:
      "Starts the integrations that match the call. The body may have any format, and at most 1" +
      " MiB.",
  }),
  callByGet: operation({
    ...call,
    id: "callWebhookByGet",
    takesAnyQuery: true,
    method: "GET",
    isUnsafe: true,
    summary: "Call a webhook without a body",
    details: "For callers that can only open an address.",
  }),
  listDeliveries: operation({
    id: "listDeliveries",
    method: "GET",
    path: "/project/{projectId}/integrations/{integrationId}/deliveries",
    tag,
    summary: "List the deliveries of an integration",
    details: "The latest 100 calls that reached it, and their results.",
    access: "manage_resources",
    answer: z.array(deliverySchema),
  }),
  getDelivery: operation({
    id: "getDelivery",
    method: "GET",
    path: "/project/{projectId}/integrations/{integrationId}/deliveries/{deliveryId}",
    tag,
    summary: "Get a delivery of an integration",
    details: "With its body, if the integration keeps bodies.",
    access: "manage_resources",
    answer: deliveryDetailsSchema,
  }),
};
