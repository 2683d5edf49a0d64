import { answer, api } from "@/lib/http/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { stopQueuedTask } from "@/lib/tasks/service.ts";

export const handler = api(
  answer(
    taskOperations.stopQueued,
    ({ deps, actor, ids }) => stopQueuedTask(deps, actor, ids.taskId),
  ),
);
