import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { stopTask } from "@/lib/queue/stop.ts";

export const handler = api(
  answer(
    taskOperations.stop,
    ({ deps, actor, ids, body }) => stopTask(deps, actor, ids.projectId, ids.taskId, body.force),
  ),
);
