import { answer, api } from "@/lib/web/api.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { readTaskLog } from "@/lib/tasks/service.ts";
import { outputText, textStream } from "@/lib/tasks/stream.ts";

export const handler = api(
  answer(taskOperations.rawOutput, async ({ deps, actor, ids }) => {
    const chunks = await readTaskLog(deps, actor, ids.projectId, ids.taskId);
    return new Response(textStream(() => outputText(chunks)), {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": `inline; filename="task_${ids.taskId}.txt"`,
      },
    });
  }),
);
