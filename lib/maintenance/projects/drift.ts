import { openProject, type UserScope } from "../../access/scope.ts";
import { countDrift } from "../../drift/service.ts";
import type { DriftCounts } from "../../drift/rows.ts";
import { listProjects } from "./service.ts";

/** The drift of a project's hosts. */
export interface ProjectDrift {
  id: number;
  name: string;
  hosts: DriftCounts;
}

/** Number of projects on a page. */
const PAGE_PROJECTS = 50;

/**
 * Returns the drift of the projects that the actor may see, by name, and whether there are more
 * after `skip` and these.
 */
export async function listProjectDrift(
  scope: UserScope,
  skip: number,
): Promise<{ projects: ProjectDrift[]; hasNext: boolean; skip: number }> {
  const all = await listProjects(scope);
  const shown = all.slice(skip, skip + PAGE_PROJECTS);
  const counts = await Promise.all(
    shown.map(async ({ id }) => await countDrift(await openProject(scope, id))),
  );
  return {
    projects: shown.map(({ id, name }, n) => ({ id, name, hosts: counts[n] })),
    hasNext: all.length > skip + PAGE_PROJECTS,
    skip: skip + shown.length,
  };
}
