import { notFound } from "../base/errors.ts";
import { rowKeys } from "./keys.ts";

/**
 * Checks in `op` that the project still exists at the commit and is not being deleted. Required for
 * every new row of a project. Throws not found.
 */
export async function holdProject(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
): Promise<void> {
  const project = await kv.get<{ deleting?: boolean }>(rowKeys.project(projectId));
  if (project.value === null || project.value.deleting) throw notFound();
  op.check(project);
}
