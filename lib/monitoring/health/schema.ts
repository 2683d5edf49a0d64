import * as z from "zod";
import { LEVELS } from "../checks/finding.ts";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";

const check = z.object({
  ok: z.boolean(),
  /** The problem as a sentence; null if there is none. */
  reason: sentenceOrTextSchema.nullable(),
}).meta({ name: "HealthCheck" });

export const healthSchema = z.object({
  /**
   * `failing`: the store or the disk, which everything needs, does not work. `degraded`: another
   * problem.
   */
  status: z.enum(["ok", "degraded", "failing"]),
  /** Whether the server is read only and starts no tasks, or will be. */
  maintenance: z.enum(["off", "planned", "on"]),
  checks: z.object({
    store: check,
    disk: check,
    ansible: check,
    isolation: check,
    queue: check,
    schedules: check,
    alerts: check,
    /** Whether the receivers of the audit log confirm its events. */
    audit: check,
    backup: check,
    /**
     * Whether the server has had no unexpected error lately, its log takes lines, and its own
     * certificate can be used.
     */
    process: check,
    /** Whether the server's background work gets on. */
    loops: check,
    /** Whether work that is due is done soon. */
    jobs_late: check,
    /** Whether no work was set aside after its last attempt. */
    jobs_set_aside: check,
  }),
}).meta({ name: "Health" });
export type Health = z.output<typeof healthSchema>;
export type Check = z.output<typeof check>;

/** All checks, each finding with what to do next. */
export const checkListSchema = z.object({
  /** Time of the thorough checks; null if there were none since the start of the server. */
  at: z.iso.datetime().nullable(),
  level: z.enum(LEVELS),
  checks: z.array(
    z.object({
      /** Name of the check. It may have several findings. */
      check: z.string(),
      level: z.enum(LEVELS),
      found: sentenceOrTextSchema,
      /** Advice; null if there is nothing to do. */
      next: sentenceOrTextSchema.nullable(),
    }).meta({ name: "CheckFinding" }),
  ),
}).meta({ name: "CheckList" });
export type CheckListView = z.output<typeof checkListSchema>;
