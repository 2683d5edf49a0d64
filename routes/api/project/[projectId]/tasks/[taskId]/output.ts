import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { readTaskLog } from "@/lib/tasks/service.ts";
import { outputJson, textStream } from "@/lib/tasks/stream.ts";

export const handler = api(
  answer(taskOperations.output, async ({ deps, actor, ids, query }) => {
    const { after, limit } = query;
    const chunks = await readTaskLog(deps, actor, ids.projectId, ids.taskId, after, limit);
    return new Response(textStream(() => outputJson(chunks, ids.taskId)), {
      headers: { "Content-Type": "application/json" },
    });
  }),
);
