import * as z from "zod";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";
import type { Sentence } from "../../base/errors.ts";

/** Results of a call for one integration. */
const RESULTS = ["started", "skipped", "not_matched", "unauthorized", "failed"] as const;
export type Result = (typeof RESULTS)[number];

export const webhookAnswerSchema = z.object({
  /** Tasks that the call started. */
  tasks: z.array(z.object({
    id: z.int(),
    template_id: z.int(),
    project_id: z.int(),
    integration_id: z.int(),
  })),
  /** Runs of workflows that the call started. */
  runs: z.array(z.object({
    id: z.int(),
    workflow_id: z.int(),
    project_id: z.int(),
    integration_id: z.int(),
  })),
  /** Result for each integration that the address reaches. */
  results: z.array(z.object({
    integration_id: z.int(),
    result: z.enum(RESULTS),
    task_id: z.int().nullable(),
    run_id: z.int().nullable(),
    /** Reason why nothing was started, or what was replaced, as a sentence. */
    reason: sentenceOrTextSchema.nullable(),
  })),
  /** Reason why nothing was started, if that is a failure. */
  error: sentenceOrTextSchema.optional(),
}).meta({ name: "WebhookAnswer" });
export type WebhookAnswer = z.output<typeof webhookAnswerSchema>;

export const deliverySchema = z.object({
  /** Counts from 1 within the integration. */
  id: z.int(),
  integration_id: z.int(),
  created: z.iso.datetime(),
  method: z.string(),
  /** Network address of the caller. */
  address: z.string(),
  user_agent: z.string(),
  body_bytes: z.int(),
  result: z.enum(RESULTS),
  reason: sentenceOrTextSchema.nullable(),
  task_id: z.int().nullable(),
  /** The workflow that it started, and the run. */
  workflow_id: z.int().nullable(),
  run_id: z.int().nullable(),
  /** Whether the body was stored. The answer for a single call shows it. */
  has_body: z.boolean(),
});
/** A call as the API returns it in lists. */
export type DeliveryView = z.output<typeof deliverySchema>;

/** One call with the stored part of its body. */
export const deliveryDetailsSchema = deliverySchema.extend({
  body: z.string().nullable(),
  body_truncated: z.boolean(),
}).meta({ name: "DeliveryDetails" });
export type DeliveryDetails = z.output<typeof deliveryDetailsSchema>;

/** A stored call. */
export interface DeliveryRow extends Omit<DeliveryView, "reason" | "integration_id"> {
  reason: Sentence | null;
  body_truncated: boolean;
}
