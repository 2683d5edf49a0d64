import { TASKS_SHOWN } from "@/components/templates/TemplatePage.tsx";
import { RunsTrend, TREND_RUNS } from "@/components/trends/RunsTrend.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { positionAfter } from "@/routes/(_pages)/history.ts";
import { runsOf } from "@/components/templates/LastTasks.tsx";
import { taskNews } from "@/components/tasks/news.ts";
import { RunRow } from "@/components/tasks/TaskTable.tsx";
import { paths } from "@/lib/base/paths.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { liveTasks } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

/** Streams changed and new tasks of a template. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params } = ctx;
    const { ui, shell, scope, deps } = state;
    const { id: templateId } = await getTemplate(scope, pageId(params.templateId));
    const viewId = params.viewId === undefined ? null : pageId(params.viewId);
    const shown = {
      ui,
      page: paths.template(shell.project.id, templateId, viewId),
      mayRun: may(shell, "run_tasks"),
    };
    const follow = liveTasks(state, async (tasks, cause) => {
      const own = tasks.filter(({ template_id }) => template_id === templateId);
      if (own.length === 0) return [];
      const filter = { templateId, limit: TASKS_SHOWN };
      const [{ tasks: rows, hasNext, next }, position, last] = await Promise.all([
        listStartedTasks(scope, filter),
        positionAfter(cause, scope, filter),
        listStartedTasks(scope, { templateId, limit: TREND_RUNS }),
      ]);
      const now = deps.clock.now();
      const path = ui.href(shown.page);
      const pages = <NewestFirst {...{ ui, path, rows, hasNext, next, position }} isFirst />;
      const trend = <RunsTrend ui={ui} page={shown.page} now={now} tasks={last.tasks} />;
      return [
        pages,
        trend,
        ...own.map((task) => (
          <RunRow
            key={task.id}
            {...shown}
            task={task}
            news={taskNews(ui, task, runsOf(templateId))}
          />
        )),
      ];
    });
    return openStream(ctx, follow, { events: (events) => events });
  },
});
