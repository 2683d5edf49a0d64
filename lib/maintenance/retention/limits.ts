import type { Retention } from "../../base/config.ts";
import type { ProjectRow } from "../../access/rows.ts";

/** Limits of a project. If the server and the project both set a limit, the stricter one counts. */
export function limitsOf(server: Retention, { retention }: ProjectRow): Retention {
  return {
    tasksPerTemplate: stricter(server.tasksPerTemplate, retention?.max_tasks_per_template ?? 0),
    taskDays: stricter(server.taskDays, retention?.max_age_days ?? 0),
    eventDays: server.eventDays,
  };
}

const stricter = (a: number, b: number) => a === 0 || b === 0 ? a + b : Math.min(a, b);
