import { notFound } from "../base/errors.ts";
import { rowKeys } from "./keys.ts";

/**
 * Adds to `op` that the project is there until the commit, and not being deleted: whatever puts a
 * new row into a project does this. Throws not found.
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
