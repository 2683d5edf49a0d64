import { answer, api } from "@/lib/http/api.ts";
import { projectOperations } from "@/lib/projects/operations.ts";
import { createProject, listProjects } from "@/lib/projects/service.ts";

export const handler = api(
  answer(projectOperations.list, ({ deps, actor }) => listProjects(deps, actor)),
  answer(projectOperations.create, ({ deps, actor, body }) => createProject(deps, actor, body)),
);
