import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { listQueue } from "@/lib/queue/list.ts";

export const handler = api(
  answer(taskOperations.listQueue, ({ deps, actor }) => listQueue(deps, actor)),
);
