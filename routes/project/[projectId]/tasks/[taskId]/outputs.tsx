import { TaskEnd } from "@/components/tasks/TaskEnd.tsx";
import { TaskOutputs } from "@/components/tasks/TaskOutputs.tsx";
import { TaskRetries } from "@/components/tasks/TaskRetries.tsx";
import { TaskTabs } from "@/components/tasks/TaskTab.tsx";
import { settingOf } from "@/components/tasks/task_setting.ts";
import { taskEnd } from "@/lib/tasks/follow_task.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { aboutTask } from "@/lib/web/pages/task_about.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { pageAsked } from "@/routes/(_pages)/tasks/page_asked.ts";
import { taskTab } from "@/routes/(_pages)/tasks/tabs.tsx";

/**
 * Streams what the page with a task's output shows once it has ended: ways to repeat it, outputs,
 * attempts, and the numbers of its tabs. `page` is the page that shows it.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { state } = ctx;
    const { scope, shell, ui } = state;
    const { id } = await getTask(scope, pageId(ctx.params.taskId));
    const page = pageAsked(ctx, id);
    return openStream(ctx, (gone) => taskEnd(scope, id, gone), {
      async events() {
        const about = await aboutTask(scope, id, page);
        const { tabs } = await taskTab(state, about.task, page);
        const mayRun = may(shell, "run_tasks");
        return htmlEvents(ui, [
          TaskEnd({ setting: settingOf(ui, about, mayRun) }),
          TaskRetries({ ui, ...about }),
          TaskOutputs({ ui, ...about }),
          TaskTabs({ ui, tabs }),
        ]);
      },
    });
  },
});
