type Key = Deno.KvKey;

/**
 * Rows of what starts tasks: schedules, automatic deploys and integrations.
 *
 * | key | value | why |
 * |---|---|---|
 * | deleted_schedules, project, template | DeletedSchedule | values of a schedule that a client does not know when it deletes and recreates it; expires |
 * | schedules_due, time, schedule, "run" | DueRow | the next time of each schedule, in order |
 * | scheduler_wake | any | changes with each change of due work; watched by schedulers |
 * | latest_starts, project, "schedule" or "integration", id | task id | its latest task, if it starts none or replaces it while it waits; checked by each start |
 * | latest_starts, project, "schedule" or "integration", id, "run" | run id | the same for the latest run of its workflow |
 * | project_aliases, project | AliasRow[] | webhook URLs that reach all searchable integrations |
 * | aliases, text | AliasTarget | unique, and found by webhook calls |
 * | deliveries, project, integration | last n | numbers the calls without gaps |
 * | deliveries, project, integration, n | DeliveryRow | latest webhook calls of an integration |
 * | delivery_bodies, project, integration, n | sealed text | their bodies, if they are stored |
 */
export const triggerKeys = {
  deletedSchedule: (projectId: number, templateId: number): Key => [
    "deleted_schedules",
    projectId,
    templateId,
  ],
  scheduleDue: (at: string, id: number): Key => ["schedules_due", at, id, "run"],
  schedulesDue: (): Key => ["schedules_due"],
  /** End of all rows that are due before `at`. */
  schedulesDueUntil: (at: string): Key => ["schedules_due", at],
  schedulerWake: (): Key => ["scheduler_wake"],
  latestStart: (projectId: number, kind: "schedule" | "integration" | "check", id: number): Key => [
    "latest_starts",
    projectId,
    kind,
    id,
  ],
  latestRunStart: (projectId: number, kind: "schedule" | "integration", id: number): Key => [
    ...triggerKeys.latestStart(projectId, kind, id),
    "run",
  ],
  projectAliases: (projectId: number): Key => ["project_aliases", projectId],
  alias: (text: string): Key => ["aliases", text],
  aliases: (): Key => ["aliases"],
  delivery: (projectId: number, integrationId: number, n: number): Key => [
    "deliveries",
    projectId,
    integrationId,
    n,
  ],
  deliveries: (projectId: number, integrationId: number): Key => [
    "deliveries",
    projectId,
    integrationId,
  ],
  deliveryBody: (projectId: number, integrationId: number, n: number): Key => [
    "delivery_bodies",
    projectId,
    integrationId,
    n,
  ],
};
