import type { Deps } from "../../access/deps.ts";
import { isActive } from "../../model/status.ts";
import type { OpenTask } from "../open_tasks.ts";
import { runnerOwner } from "./runner_owner.ts";
import { type Blocked, judge, readLimits } from "./startable.ts";

/**
 * Returns why each of the `queued` tasks waits. Servers that share a store count as one, because a
 * task that is not blocked otherwise starts on any server with a free slot.
 */
export async function readReasons(
  deps: Pick<Deps, "kv" | "clock" | "config">,
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
