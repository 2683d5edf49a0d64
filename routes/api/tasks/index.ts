import { answer, api } from "@/lib/http/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { listQueue } from "@/lib/tasks/service.ts";

export const handler = api(
  answer(taskOperations.listQueue, ({ deps, actor }) => listQueue(deps, actor)),
);
