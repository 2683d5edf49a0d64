import { answer, api } from "@/lib/web/api.ts";
import { pagedResponse } from "@/lib/base/paged.ts";
import { taskFilter } from "@/lib/tasks/filter.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { listTasks } from "@/lib/tasks/service.ts";

export const handler = api(
  answer(taskOperations.listLast, async ({ deps, actor, ids, query }) => {
    const { tasks, hasNext } = await listTasks(deps, actor, ids.projectId, taskFilter(query, 200));
    return pagedResponse(tasks, hasNext);
  }),
);
