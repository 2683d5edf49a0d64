import { z } from "zod";
import { toldSchema } from "../../base/told.ts";

const check = z.object({
  ok: z.boolean(),
  /** What is wrong, in a sentence; null when nothing is. */
  reason: toldSchema.nullable(),
});

export const healthSchema = z.object({
  /** `failing`: nothing works without the store and the disk. `degraded`: something else needs a look. */
  status: z.enum(["ok", "degraded", "failing"]),
  checks: z.object({
    store: check,
    disk: check,
    ansible: check,
    isolation: check,
    queue: check,
    schedules: check,
    alerts: check,
  }),
});
export type Health = z.output<typeof healthSchema>;
export type Check = z.output<typeof check>;
