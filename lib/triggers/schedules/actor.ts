import type { SystemActor } from "../../access/actor.ts";
import type { ScheduleRow } from "./schema.ts";

/** The schedule as the one who starts a task. */
export const scheduleActor = (row: ScheduleRow): SystemActor => ({
  kind: "schedule",
  id: row.id,
  projectId: row.project_id,
  name: nameOf(row),
});

/** A schedule without a name is known by its time. */
const nameOf = ({ name, cron_format, run_at }: ScheduleRow) =>
  name || cron_format || (run_at ?? "");

/** What an event about the schedule says of it. */
export const scheduleEvent = (row: ScheduleRow) =>
  ({
    projectId: row.project_id,
    object: "schedule",
    id: row.id,
    name: nameOf(row),
  }) as const;
