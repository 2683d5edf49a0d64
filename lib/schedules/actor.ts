import type { SystemActor } from "../access/actor.ts";
import type { ScheduleRow } from "./schema.ts";

/** The schedule as the one who starts a task. */
export const scheduleActor = ({ id, project_id }: ScheduleRow): SystemActor => ({
  kind: "schedule",
  id,
  projectId: project_id,
});

/** What an event about the schedule says of it; one without a name is known by its time. */
export const scheduleEvent = (row: ScheduleRow) =>
  ({
    projectId: row.project_id,
    object: "schedule",
    id: row.id,
    name: row.name || row.cron_format || (row.run_at ?? ""),
  }) as const;
