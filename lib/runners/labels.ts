import type { ProjectScope } from "../access/scope.ts";
import { listRunners } from "./repository.ts";
import { servesProject } from "./rows.ts";

/** Returns the labels of all runners that serve the project, sorted. */
export async function listRunnerLabels({ deps, projectId }: ProjectScope): Promise<string[]> {
  const runners = await listRunners(deps.kv);
  const serving = runners.filter((runner) => servesProject(runner, projectId));
  return [...new Set(serving.flatMap(({ labels }) => labels))].toSorted();
}
