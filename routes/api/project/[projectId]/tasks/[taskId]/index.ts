import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { deleteTask, getTask } from "@/lib/tasks/service.ts";

export const handler = api(
  answer(
    taskOperations.get,
    ({ deps, actor, ids }) => getTask(deps, actor, ids.projectId, ids.taskId),
  ),
  answer(
    taskOperations.delete,
    ({ deps, actor, ids }) => deleteTask(deps, actor, ids.projectId, ids.taskId),
  ),
);
