import { answer, api } from "@/lib/web/api.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { keepAlive, taskEvents, textStream } from "@/lib/tasks/stream.ts";

export const handler = api(
  answer(taskOperations.events, async ({ deps, actor, ids, req, url }) => {
    const { projectId, taskId } = ids;
    await getTask(deps, actor, projectId, taskId);
    const seen = req.headers.get("last-event-id") ?? url.searchParams.get("after");
    const after = /^\d{1,12}$/.test(seen ?? "") ? Number(seen) : 0;
    const events = (gone: AbortSignal) => taskEvents(deps, actor, projectId, taskId, after, gone);
    return new Response(textStream((gone) => keepAlive(events(gone), ": still here\n\n")), {
      headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" },
    });
  }),
);
