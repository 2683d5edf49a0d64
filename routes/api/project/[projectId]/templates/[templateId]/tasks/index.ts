import { answer, api } from "@/lib/web/api.ts";
import { pagedResponse } from "@/lib/base/paged.ts";
import { taskFilter } from "@/lib/tasks/filter.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { listTasks } from "@/lib/tasks/service.ts";

export const handler = api(
  answer(taskOperations.listOfTemplate, async ({ deps, actor, ids, query }) => {
    const filter = taskFilter(query, 1000, ids.templateId);
    const { tasks, hasNext } = await listTasks(deps, actor, ids.projectId, filter);
    return pagedResponse(tasks, hasNext);
  }),
);
