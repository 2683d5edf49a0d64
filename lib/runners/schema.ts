import * as z from "zod";
import { labelsField } from "../base/labels.ts";
import { idField, lineField, requiredLineField } from "../base/fields.ts";

const PARALLEL_MAX = 1_000;

const parallelField = z.int("errors.invalid").min(0, "errors.invalid")
  .max(PARALLEL_MAX, "errors.invalid").nullish().transform((value) => value ?? 0);

export const runnerForm = z.object({
  name: requiredLineField(100),
  description: lineField(500).nullish().transform((value) => value ?? ""),
  /** Projects that a runner of the server is for; empty for all. */
  project_ids: z.array(idField).max(1_000).nullish()
    .transform((ids) => [...new Set(ids ?? [])].toSorted((a, b) => a - b)),
  labels: labelsField,
  max_parallel_tasks: parallelField,
});
export type RunnerForm = z.output<typeof runnerForm>;

export const rotatedTokenSchema = z.object({ token: z.string() });
