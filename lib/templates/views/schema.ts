import { z } from "zod";
import { requiredLineField } from "../../base/fields.ts";

const position = z.int("errors.integer").min(0, "errors.zero_or_greater")
  .max(1_000_000, "errors.number_too_large");

/** What a person may type. Messages are locale keys, never sentences. */
export const viewForm = z.object({
  title: requiredLineField(100),
  /** Not sent: a new view becomes the last one, and a change puts it first. */
  position: position.nullish().transform((value) => value ?? null),
});
export type ViewForm = z.output<typeof viewForm>;

/** A position for each view's id. */
export const positionsForm = z.record(z.string().regex(/^\d{1,15}$/, "errors.invalid"), position)
  .refine((positions) => Object.keys(positions).length <= 1000, "errors.invalid");
export type PositionsForm = z.output<typeof positionsForm>;

export const viewSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  title: z.string(),
  position: z.int(),
});
/** What the API answers. */
export type ViewView = z.output<typeof viewSchema>;

/** What is stored. */
export type ViewRow = ViewView;
