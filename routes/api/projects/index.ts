import { answer, api } from "@/lib/web/api.ts";
import { projectOperations } from "@/lib/upkeep/projects/operations.ts";
import { createProject, listProjects } from "@/lib/upkeep/projects/service.ts";

export const handler = api(
  answer(projectOperations.list, ({ deps, actor }) => listProjects(deps, actor)),
  answer(projectOperations.create, ({ deps, actor, body }) => createProject(deps, actor, body)),
);
