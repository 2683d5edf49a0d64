import * as z from "zod";
import { requiredLineField } from "../../base/fields.ts";

const position = z.int("errors.integer").min(0, "errors.zero_or_greater")
  .max(1_000_000, "errors.number_too_large");

/** The form of a view. Messages are locale keys, never sentences. */
export const viewForm = z.object({
  title: requiredLineField(100),
  /** Optional. By default, a new view becomes the last one, and a changed view the first. */
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
/** A view as the API returns it. */
export type ViewView = z.output<typeof viewSchema>;

/** A stored view. */
export type ViewRow = ViewView;
