import { TaskTab } from "@/components/tasks/TaskTab.tsx";
import { followResults } from "@/lib/results/follow_results.ts";
import { aboutTask } from "@/lib/web/pages/task_about.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { pageAsked } from "@/routes/(_pages)/tasks/page_asked.ts";
import { taskTab } from "@/routes/(_pages)/tasks/tabs.tsx";

/** Streams the status of a task and the content of its tab. `page` is the page that shows it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params } = ctx;
    const { scope, ui, shell } = state;
    const { id } = await getTask(scope, pageId(params.taskId));
    const page = pageAsked(ctx, id);
    return openStream(ctx, (gone) => followResults(scope, id, gone), {
      async events() {
        const about = await aboutTask(scope, id, page);
        const shown = await taskTab(state, about.task, page);
        const mayRun = may(shell, "run_tasks");
        return htmlEvents(ui, [TaskTab({ ui, about, shown, mayRun })]);
      },
    });
  },
});
