import type { World } from "./world.ts";

/** Rows that outlive every project. */
const OUTLIVING = [
  "ids",
  "account_events",
  "dispatcher_claims",
  "tasks_wake",
  "access_wake",
  "scheduler_wake",
  "jobs_wake",
  "alerts_wake",
  "jobs_wake",
  "workflow_runs_stamp",
  "events_stamp",
  "resources_stamp",
];

/** Rows of events, which begin with their project, or with 0. */
const OF_EVENTS = ["events", "activity", "object_events"];

/** Returns all keys except those that outlive every project. */
export async function lastingKeys({ kv }: Pick<World, "kv">): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of kv.list({ prefix: [] })) {
    const isServers = OF_EVENTS.includes(String(key[0])) && key[1] === 0;
    if (!isServers && !OUTLIVING.includes(String(key[0]))) found.push(key.join("/"));
  }
  return found;
}
