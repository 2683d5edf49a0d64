import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { stopQueuedTask } from "@/lib/queue/stop.ts";

export const handler = api(
  answer(
    taskOperations.stopQueued,
    ({ deps, actor, ids }) => stopQueuedTask(deps, actor, ids.taskId),
  ),
);
