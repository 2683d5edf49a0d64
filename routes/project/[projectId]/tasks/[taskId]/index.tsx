import { page } from "fresh";
import { TaskPageTitle } from "@/components/tasks/TaskTab.tsx";
import { TaskOutputPart } from "@/components/tasks/TaskOutputPart.tsx";
import { asksScriptless, hasRunScripts, otherPage } from "@/lib/web/other_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { loadTaskOutput } from "@/lib/web/pages/task_output.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { streamTask } from "@/routes/(_pages)/tasks/streamed.tsx";
import { taskTab } from "@/routes/(_pages)/tasks/tabs.tsx";

/** Shows a task with its output: complete and alive, or for browsers without scripts, streamed. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, req, url } = ctx;
    const taskId = pageId(ctx.params.taskId);
    const runsScripts = hasRunScripts(req.headers) && !asksScriptless(url);
    state.otherPage = otherPage(url, !runsScripts);
    if (!runsScripts) return await streamTask(ctx, taskId);
    const about = await loadTaskOutput(state.scope, taskId, url);
    return page({ about, shown: await taskTab(state, about.task, url) });
  },
});

export default define.page<typeof handler>(({ data: { about, shown }, state: { ui, shell } }) => (
  <div class="task-page">
    <TaskPageTitle ui={ui} shell={shell} task={about.task} />
    <TaskOutputPart
      ui={ui}
      about={about}
      shown={shown}
      project={shell.project.name}
      mayRun={may(shell, "run_tasks")}
    />
  </div>
));
