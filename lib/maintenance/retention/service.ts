import type { ProjectScope } from "../../access/scope.ts";
import type { Retention } from "../../base/settings/config.ts";
import type { ProjectForm } from "../projects/schema.ts";
import { expiredTasks, limitsOf } from "./expired.ts";

/** Counting stops here. The result then only says that there are more. */
const COUNTED_MAX = 10_000;

/** Preview of the next sweep. */
interface Expiry {
  /** Limits of the project: the server's, or its own where they are stricter. */
  limits: Retention;
  tasks: number;
  /** Whether there are more than `tasks`. */
  more: boolean;
}

/**
 * Counts the finished tasks that the next sweep would delete with these limits of the project, or
 * with its current limits if `retention` is not given.
 */
export async function estimateRetention(
  { deps: { kv, config, clock }, project, projectId }: ProjectScope<"update_project">,
  { retention }: Pick<ProjectForm, "retention">,
): Promise<Expiry> {
  const limits = limitsOf(config.retention, { ...project, ...retention && { retention } });
  // A task can exceed both limits.
  const found = new Set<number>();
  for await (const { id } of expiredTasks(kv, projectId, limits, clock.now())) {
    found.add(id);
    if (found.size > COUNTED_MAX) return { limits, tasks: COUNTED_MAX, more: true };
  }
  return { limits, tasks: found.size, more: false };
}
