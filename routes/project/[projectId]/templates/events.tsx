import { LastRun, LastVersion } from "@/components/templates/LastRun.tsx";
import { runsOf } from "@/components/templates/LastTasks.tsx";
import { taskNews } from "@/components/tasks/news.ts";
import { RunRow } from "@/components/tasks/TaskTable.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getLastTask } from "@/lib/tasks/service.ts";
import { listAddress, readListState } from "@/lib/templates/list.ts";
import { liveResponse } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { define } from "@/lib/web/state.ts";

type LastTask = ReturnType<typeof getLastTask>;
const shared = new WeakMap<object, LastTask>();

/** The newest task of a template whose task changed: read once for all who are told of it. */
function lastTaskAfter(scope: ProjectScope, task: { template_id: number }): LastTask {
  const reading = shared.get(task) ?? getLastTask(scope, task.template_id);
  shared.set(task, reading);
  return reading;
}

/** How templates' newest tasks stand as that changes, and the runs below the row that is open. */
export const handler = define.handlers({
  GET({ state, params, req, url }) {
    const { ui, shell, scope } = state;
    const viewId = params.viewId === undefined ? null : pageId(params.viewId);
    const list = readListState(url.searchParams);
    const page = listAddress(paths.templates(shell.project.id, viewId), list);
    const shown = { ui, page, mayRun: may(shell, "run_tasks") };
    return liveResponse(state, { headers: req.headers, url }, async (tasks) => {
      const parts = await Promise.all(tasks.map(async (changed) => {
        const { template_id: templateId } = changed;
        const task = await lastTaskAfter(scope, changed);
        const news = taskNews(ui, changed, runsOf(templateId));
        return [
          <LastRun key={1} ui={ui} templateId={templateId} task={task} page={page} news={news} />,
          <LastVersion key={2} ui={ui} templateId={templateId} task={task} />,
          ...(list.open === templateId
            ? [<RunRow key={3} {...shown} task={changed} news={{ into: news.into }} />]
            : []),
        ];
      }));
      return parts.flat();
    });
  },
});
