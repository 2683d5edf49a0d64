import { TaskOutputs } from "@/components/tasks/TaskOutputs.tsx";
import { taskEnd } from "@/lib/tasks/follow_task.ts";
import { listOutputs } from "@/lib/tasks/outputs.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the outputs of a task once it has ended. */
export const handler = define.handlers({
  async GET({ state, params, req }) {
    const { scope, ui } = state;
    const { id } = await getTask(scope, pageId(params.taskId));
    return openStream(state, req.headers, async function* (gone) {
      for await (const task of taskEnd(scope, id, gone)) {
        const outputs = await listOutputs(scope, id);
        yield* htmlEvents([TaskOutputs({ ui, task, outputs })]);
      }
    });
  },
});
