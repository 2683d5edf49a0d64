import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../kv/keys.ts";
import { listProjectRows } from "../../access/projects.ts";
import { activityKeys } from "../../events/activity.ts";
import type { EventRow } from "../../events/schema.ts";
import { tasksGone } from "../../tasks/changes.ts";
import { removeTask } from "../tasks.ts";
import { sweepCounts } from "../../tasks/trends/counters.ts";
import { cutoff, expiredTasks } from "./expired.ts";
import { limitsOf } from "./limits.ts";

/** What one sweep removed. */
interface Swept {
  tasks: number;
  events: number;
}

/** Events in one commit, and tasks between two pauses: what else is going on comes first. */
const EVENTS_PER_COMMIT = 150;
const TASKS_PER_TURN = 10;
const PAUSE_MS = 20;

/** Removes all that need not be kept any more, a little at a time. */
export async function sweepPast(deps: Deps, stop?: AbortSignal): Promise<Swept> {
  const { kv, clock, config } = deps;
  const swept: Swept = { tasks: 0, events: 0 };
  for (const project of await listProjectRows(kv)) {
    if (project.deleting) continue;
    const limits = limitsOf(config.retention, project);
    const before = swept.tasks;
    for await (const task of expiredTasks(kv, project.id, limits, clock.now())) {
      if (stop?.aborted) break;
      if (!await removed(kv, task)) continue;
      if (++swept.tasks % TASKS_PER_TURN === 0) await pause(PAUSE_MS);
    }
    if (swept.tasks > before) await tasksGone(deps, project.id);
    if (stop?.aborted) return swept;
    swept.events += await sweepEvents(deps, project.id, stop);
    await sweepCounts(kv, project.id, clock.now());
  }
  swept.events += await sweepEvents(deps, 0, stop);
  return swept;
}

/** False when the task is gone already, or was given another state just now. */
async function removed(kv: Deno.Kv, task: Parameters<typeof removeTask>[1]): Promise<boolean> {
  try {
    await removeTask(kv, task);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function sweepEvents(
  { kv, clock, config }: Deps,
  projectId: number,
  stop?: AbortSignal,
): Promise<number> {
  const oldest = cutoff(clock.now(), config.retention.eventDays);
  if (oldest === null) return 0;
  const selector = { prefix: rowKeys.events(projectId), end: rowKeys.event(projectId, oldest, "") };
  let count = 0;
  while (!stop?.aborted) {
    const op = kv.atomic();
    let found = 0;
    for await (
      const { key, value } of kv.list<EventRow>(selector, { limit: EVENTS_PER_COMMIT })
    ) {
      op.delete(key);
      for (const indexKey of activityKeys(key, value)) op.delete(indexKey);
      found++;
    }
    if (found === 0) break;
    await op.set(rowKeys.eventsStamp(), projectId).commit();
    count += found;
    await pause(PAUSE_MS);
  }
  return count;
}
