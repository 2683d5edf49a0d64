import { answer, api } from "@/lib/http/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { stopTemplateTasks } from "@/lib/tasks/service.ts";

export const handler = api(
  answer(
    taskOperations.stopAll,
    ({ deps, actor, ids, body }) =>
      stopTemplateTasks(deps, actor, ids.projectId, ids.templateId, body.force),
  ),
);
