import * as z from "zod";
import { queryNumber } from "../base/lists/list_query.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";
import { runSchema, runStepSchema } from "./run_schema.ts";

/** The facts of a compared run. */
const runSideSchema = runSchema.pick({
  id: true,
  version: true,
  status: true,
  message: true,
  created: true,
  end: true,
  user_id: true,
  username: true,
  user_name: true,
  initiator: true,
});
export type RunSide = z.output<typeof runSideSchema>;

const stepSideSchema = runStepSchema.pick({
  state: true,
  start: true,
  end: true,
  template_id: true,
  task_id: true,
  workflow_id: true,
  run_id: true,
  reason: true,
});
export type StepSide = z.output<typeof stepSideSchema>;

const comparedStepSchema = z.object({
  id: z.int(),
  name: sentenceOrTextSchema,
  kind: runStepSchema.shape.kind,
  /** Difference between the definition of the run and that of `base`. */
  change: z.enum(["same", "added", "removed", "changed"]),
  /** Members that differ. */
  changed: z.array(z.string()),
  /** The step in the run; null if the run does not have it. */
  run: stepSideSchema.nullable(),
  base: stepSideSchema.nullable(),
});
export type ComparedStep = z.output<typeof comparedStepSchema>;

/** Two runs of a workflow side by side. */
export const runComparisonSchema = z.object({
  run: runSideSchema,
  /** The run that it is compared with; null for none. */
  base: runSideSchema.nullable(),
  /** Answers by question, without the secret ones. */
  answers: z.array(z.object({
    name: z.string(),
    title: z.string(),
    run: z.string().nullable(),
    base: z.string().nullable(),
    differs: z.boolean(),
  })),
  steps: z.array(comparedStepSchema),
});
export type RunComparison = z.output<typeof runComparisonSchema>;

export const compareRunsQuery = z.object({
  base: queryNumber(),
});
