import type { ProjectScope } from "../../access/scope.ts";
import type { Retention } from "../../base/config.ts";
import type { ProjectForm } from "../projects/schema.ts";
import { expiredTasks } from "./expired.ts";
import { limitsOf } from "./limits.ts";

/** Of more it is only told that there are more. */
const COUNTED_MAX = 10_000;

/** What the next sweep would delete. */
interface Expiry {
  /** What counts for the project: the server's limits, or its own where they are stricter. */
  limits: Retention;
  tasks: number;
  /** Whether there are more than `tasks`. */
  more: boolean;
}

/**
 * Counts the finished tasks that the next sweep deletes if the project is to keep so much; without
 * `retention`, as much as it keeps now.
 */
export async function previewRetention(
  { deps: { kv, config, clock }, project, projectId }: ProjectScope<"update_project">,
  { retention }: Pick<ProjectForm, "retention">,
): Promise<Expiry> {
  const limits = limitsOf(config.retention, { ...project, ...retention && { retention } });
  // One can be beyond both limits.
  const found = new Set<number>();
  for await (const { id } of expiredTasks(kv, projectId, limits, clock.now())) {
    found.add(id);
    if (found.size > COUNTED_MAX) return { limits, tasks: COUNTED_MAX, more: true };
  }
  return { limits, tasks: found.size, more: false };
}
