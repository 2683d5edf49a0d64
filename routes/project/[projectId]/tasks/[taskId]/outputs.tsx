import { TaskOutputs } from "@/components/tasks/TaskOutputs.tsx";
import { TaskRetries } from "@/components/tasks/TaskRetries.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readAttempts } from "@/lib/queue/ending/attempts_end.ts";
import { taskEnd } from "@/lib/tasks/follow_task.ts";
import { listOutputs } from "@/lib/tasks/outputs.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the outputs of a task once it has ended, and when it is repeated. */
export const handler = define.handlers({
  async GET(ctx) {
    const { scope, shell, ui, deps } = ctx.state;
    const { id } = await getTask(scope, pageId(ctx.params.taskId));
    return openStream(ctx, (gone) => taskEnd(scope, id, gone), {
      async events(task) {
        const [outputs, chain] = await Promise.all([
          listOutputs(scope, id),
          readAttempts(scope, task),
        ]);
        const shown = {
          task: await getTask(scope, id),
          retries: [],
          chain,
          mayRun: may(shell, "run_tasks"),
          now: deps.clock.now(),
          here: paths.task(task.project_id, task.template_id, id),
        };
        return htmlEvents([TaskOutputs({ ui, task, outputs }), TaskRetries({ ui, ...shown })]);
      },
    });
  },
});
