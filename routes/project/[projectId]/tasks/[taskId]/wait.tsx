import { TaskWait } from "@/components/tasks/TaskWait.tsx";
import { followWait } from "@/lib/queue/waiting/follow_wait.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the reason why a task waits, until it no longer does. */
export const handler = define.handlers({
  async GET(ctx) {
    const { scope, ui, deps } = ctx.state;
    const task = await getTask(scope, pageId(ctx.params.taskId));
    return openStream(ctx, (gone) => followWait(scope, task.id, gone), {
      events: (wait) => htmlEvents(ui, [TaskWait({ ui, task, wait, now: deps.clock.now() })]),
    });
  },
});
