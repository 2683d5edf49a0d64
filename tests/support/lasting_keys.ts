import type { World } from "./world.ts";

/** Rows that outlive every project. */
const OUTLIVING = [
  "ids",
  "account_events",
  "dispatcher_claims",
  "tasks_wake",
  "access_wake",
  "scheduler_wake",
  "alerts_wake",
  "autoruns_wake",
  "events_stamp",
  "resources_stamp",
];

/** Returns all keys except those that outlive every project. */
export async function lastingKeys({ kv }: Pick<World, "kv">): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of kv.list({ prefix: [] })) {
    const isServers = key[0] === "events" && key[1] === 0;
    if (!isServers && !OUTLIVING.includes(String(key[0]))) found.push(key.join("/"));
  }
  return found;
}
