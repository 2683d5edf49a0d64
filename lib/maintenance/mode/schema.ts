import * as z from "zod";
import { evenIfFieldsFail, lineField } from "../../base/fields.ts";

const time = z.union([
  z.literal(""),
  z.iso.datetime({ offset: true, error: "errors.time" }),
]).nullish().transform((value) => value ? new Date(value).toISOString() : null);

export const maintenanceForm = z.object({
  message: lineField(500).nullish().transform((value) => value ?? ""),
  /** Null for now. */
  begins: time,
  /** Maintenance ends automatically then. Null if someone has to end it. */
  ends: time,
}).superRefine(({ begins, ends }, ctx) => {
  if (!begins || !ends || begins < ends) return;
  ctx.addIssue({ code: "custom", path: ["ends"], message: "errors.maintenance_ends" });
}, evenIfFieldsFail).meta({ example: { message: "A new disk", begins: "2126-03-01T22:00:00Z" } });
export type MaintenanceForm = z.output<typeof maintenanceForm>;

export const maintenanceSchema = z.object({
  /** `planned`: announced. `on`: the server is read only and starts no tasks. */
  state: z.enum(["off", "planned", "on"]),
  message: z.string(),
  begins: z.iso.datetime().nullable(),
  ends: z.iso.datetime().nullable(),
  /** Tasks of all projects that still run, on all servers and runners. */
  running: z.int(),
  /** Whether maintenance is on, and no task runs any more. */
  drained: z.boolean(),
});
export type MaintenanceView = z.output<typeof maintenanceSchema>;

/** Changes with what the page of maintenance shows beside its form. */
export const maintenanceVersion = ({ state, running }: MaintenanceView): string => state + running;
