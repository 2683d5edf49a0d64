import * as z from "zod";

/** A kind of work that happens later, as it is stored. A worker does it: see worker.ts. */
export interface JobKind<Input extends object> {
  /** As in rows, the log and metrics. */
  readonly name: string;
  /** Shape of what is asked for. A member `project_id` is the project that the work is for. */
  readonly schema: z.ZodType<Input>;
  /**
   * Jobs with the same value are one job. Putting it again replaces it, and its time. One that runs
   * at that moment runs once more. Without it, each job is a job of its own.
   */
  readonly uniqueBy?: (input: Input) => JobId;
  /** Jobs with the same value share the slots of a worker's `perGroup`. */
  readonly groupBy?: (input: Input) => string;
}

/** Name of a job among those of its kind. */
export type JobId = string | number;

/** Declares work that is always repeated, as one job: see `everyMs` of its worker. */
export const periodicKind = (name: string): JobKind<Record<never, never>> => ({
  name,
  schema: z.object({}),
  uniqueBy: () => name,
});

/** Declares a kind of work. */
export const jobKind = <Input extends object>(kind: JobKind<Input>): JobKind<Input> => kind;
