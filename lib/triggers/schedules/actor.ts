import type { SystemActor } from "../../access/actor.ts";
import type { ScheduleRow } from "./schema.ts";

/** The schedule as the actor that starts a task. */
export const scheduleActor = (row: ScheduleRow): SystemActor => ({
  kind: "schedule",
  id: row.id,
  projectId: row.project_id,
  name: nameOf(row),
});

/** The time replaces a missing name. */
export const nameOf = ({ name, cron_format, run_at }: ScheduleRow) =>
  name || cron_format || (run_at ?? "");

/** The object of an event about the schedule. */
export const scheduleEvent = (row: ScheduleRow) =>
  ({
    projectId: row.project_id,
    object: "schedule",
    id: row.id,
    name: nameOf(row),
  }) as const;
