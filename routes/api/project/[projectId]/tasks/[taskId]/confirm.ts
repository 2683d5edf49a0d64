import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { confirmTask } from "@/lib/queue/stop.ts";

export const handler = api(
  answer(
    taskOperations.confirm,
    ({ deps, actor, ids }) => confirmTask(deps, actor, ids.projectId, ids.taskId),
  ),
);
