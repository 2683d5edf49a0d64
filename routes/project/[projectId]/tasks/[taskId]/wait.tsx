import { TaskWait } from "@/components/tasks/TaskWait.tsx";
import { followWait } from "@/lib/queue/waiting/follow_wait.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the reason why a task waits, until it no longer does. */
export const handler = define.handlers({
  async GET({ state, params, req }) {
    const { scope, ui, deps } = state;
    const task = await getTask(scope, pageId(params.taskId));
    return openStream(state, req.headers, async function* (gone) {
      for await (const wait of followWait(scope, task.id, gone)) {
        yield* htmlEvents([TaskWait({ ui, task, wait, now: deps.clock.now() })]);
      }
    });
  },
});
