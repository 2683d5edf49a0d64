import type { Deps } from "../../access/deps.ts";
import { isActive } from "../../model/status.ts";
import type { OpenTask } from "../open_tasks.ts";
import { runnerOwner } from "./runner_owner.ts";
import { type Blocked, judge, readLimits } from "./startable.ts";

/** The store, clock and limits that decide, with the rows of tasks, why these wait. */
export type WaitDeps = Pick<Deps, "kv" | "clock" | "config">;

/**
 * Returns why each of the `queued` tasks waits. Servers that share a store count as one, because a
 * task that is not blocked otherwise starts on any server with a free slot.
 */
export async function readReasons(
  deps: WaitDeps,
  open: OpenTask[],
  queued: OpenTask[],
): Promise<Map<number, Blocked | null>> {
  if (queued.length === 0) return new Map();
  const { maxParallelTasks } = deps.config;
  const active = open.filter((task) => isActive(task.status) && !runnerOwner(task)).length;
  const free = maxParallelTasks === 0 ? Infinity : maxParallelTasks - active;
  const verdicts = judge(open, await readLimits(deps, open), free);
  return new Map(verdicts.map(({ task, blocked }) => [task.id, blocked]));
}
