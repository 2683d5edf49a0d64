import { z } from "zod";
import { toldSchema } from "../../base/told.ts";
import type { Sentence } from "../../base/errors.ts";

/** What came of a call for one integration. */
const RESULTS = ["started", "not_matched", "unauthorized", "failed"] as const;
export type Result = (typeof RESULTS)[number];

export const webhookAnswerSchema = z.object({
  /** The tasks that the call started. */
  tasks: z.array(z.object({
    id: z.int(),
    template_id: z.int(),
    project_id: z.int(),
    integration_id: z.int(),
  })),
  /** What came of it for each integration that the address reaches. */
  results: z.array(z.object({
    integration_id: z.int(),
    result: z.enum(RESULTS),
    task_id: z.int().nullable(),
    /** Why no task was started, in a sentence. */
    reason: toldSchema.nullable(),
  })),
  /** Why nothing was started, where that is a failure. */
  error: toldSchema.optional(),
});
export type WebhookAnswer = z.output<typeof webhookAnswerSchema>;

export const deliverySchema = z.object({
  /** Counts from 1 within the integration. */
  id: z.int(),
  integration_id: z.int(),
  created: z.iso.datetime(),
  method: z.string(),
  /** Where the call came from. */
  address: z.string(),
  user_agent: z.string(),
  body_bytes: z.int(),
  result: z.enum(RESULTS),
  reason: toldSchema.nullable(),
  task_id: z.int().nullable(),
  /** Whether the body was kept; the answer for a single call shows it. */
  has_body: z.boolean(),
});
/** What the API answers in lists. */
export type DeliveryView = z.output<typeof deliverySchema>;

/** One call, with as much of its body as was kept. */
export const deliveryDetailsSchema = deliverySchema.extend({
  body: z.string().nullable(),
  body_truncated: z.boolean(),
});
export type DeliveryDetails = z.output<typeof deliveryDetailsSchema>;

/** What is stored of a call. */
export interface DeliveryRow extends Omit<DeliveryView, "reason" | "integration_id"> {
  reason: Sentence | null;
  body_truncated: boolean;
}
