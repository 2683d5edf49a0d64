import { page } from "fresh";
import { TaskPageTitle, TaskTab } from "@/components/tasks/TaskTab.tsx";
import { notFound } from "@/lib/base/errors.ts";
import { aboutTask } from "@/lib/web/pages/task_about.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { isTaskTab, taskTab } from "@/routes/(_pages)/tasks/tabs.tsx";

/** Shows a task's results in a tab besides the output. */
export const handler = define.handlers({
  async GET({ state, params, url }) {
    if (!isTaskTab(params.tab)) throw notFound();
    const about = await aboutTask(state.scope, pageId(params.taskId), url);
    return page({ about, shown: await taskTab(state, about.task, url) });
  },
});

export default define.page<typeof handler>(({ data: { about, shown }, state: { ui, shell } }) => (
  <div class="task-page">
    <TaskPageTitle ui={ui} shell={shell} task={about.task} />
    <TaskTab ui={ui} about={about} shown={shown} mayRun={may(shell, "run_tasks")} />
  </div>
));
