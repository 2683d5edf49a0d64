import * as z from "zod";
import { flagField, requiredLineField } from "../../base/fields.ts";
import { accessRuleFields, accessRuleViews } from "../../access/rules/schema.ts";
import type { RuledAction } from "../../model/access_rule.ts";
import { LIST_COLUMNS } from "../schema.ts";

const position = z.int("errors.integer").min(0, "errors.zero_or_greater")
  .max(1_000_000, "errors.number_too_large");

/** Templates of a view: those that name it, or all of the project. */
const VIEW_TYPES = ["", "all"] as const;

/** The form of a view. Messages are locale keys, never sentences. */
export const viewForm = z.object({
  title: requiredLineField(100),
  /** Optional. By default, a new view becomes the last one, and a changed view the first. */
  position: position.nullish().transform((value) => value ?? null),
  /** Whether it has no tab. */
  hidden: flagField,
  type: z.enum(VIEW_TYPES, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  /** Usual order of its list; empty for that by name. */
  sort_column: z.enum([...LIST_COLUMNS, ""], "errors.invalid").nullish()
    .transform((value) => value ?? null),
  sort_reverse: flagField,
  ...accessRuleFields,
}).meta({
  example: { title: "Nightly", position: 1, sort_column: "last_task", sort_reverse: true },
});
export type ViewForm = z.output<typeof viewForm>;

/** A position for each view's id. */
export const positionsForm = z.record(z.string().regex(/^\d{1,15}$/, "errors.invalid"), position)
  .refine((positions) => Object.keys(positions).length <= 1000, "errors.invalid").meta({
    example: { "1": 1, "2": 0 },
  });
export type PositionsForm = z.output<typeof positionsForm>;

export const viewSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  title: z.string(),
  position: z.int(),
  hidden: z.boolean(),
  type: z.enum(VIEW_TYPES),
  sort_column: z.enum([...LIST_COLUMNS, ""]).nullable(),
  sort_reverse: z.boolean(),
  ...accessRuleViews,
});
/** A view as the API returns it. */
export type ViewView = z.output<typeof viewSchema>;

type Shown = "hidden" | "type" | "sort_column" | "sort_reverse" | RuledAction;

/** A stored view. Members without a value are missing. */
export type ViewRow = Omit<ViewView, Shown> & Partial<Pick<ViewView, Shown>>;
