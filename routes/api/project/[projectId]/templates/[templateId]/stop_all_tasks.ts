import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { stopTemplateTasks } from "@/lib/queue/stop.ts";

export const handler = api(
  answer(
    taskOperations.stopAll,
    ({ deps, actor, ids, body }) =>
      stopTemplateTasks(deps, actor, ids.projectId, ids.templateId, body.force),
  ),
);
