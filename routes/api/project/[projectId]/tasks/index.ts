import { answer, api } from "@/lib/web/api.ts";
import { pagedResponse } from "@/lib/base/paged.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { taskFilter } from "@/lib/tasks/filter.ts";
import { listTasks } from "@/lib/tasks/service.ts";
import { startTask } from "@/lib/queue/start.ts";

export const handler = api(
  answer(taskOperations.list, async ({ deps, actor, ids, query }) => {
    const { tasks, hasNext } = await listTasks(deps, actor, ids.projectId, taskFilter(query, 1000));
    return pagedResponse(tasks, hasNext);
  }),
  answer(
    taskOperations.start,
    ({ deps, actor, ids, body }) => startTask(deps, actor, ids.projectId, body),
  ),
);
