import { LastStatus, LastTask, LastVersion } from "@/components/templates/LastRun.tsx";
import { runsOf } from "@/components/templates/LastTasks.tsx";
import { taskNews } from "@/components/tasks/news.ts";
import { RunRow } from "@/components/tasks/TaskTable.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { onceForSeen } from "@/lib/access/seen/once_for_seen.ts";
import { paths } from "@/lib/base/paths.ts";
import { getLastTask } from "@/lib/tasks/service.ts";
import { listAddress, readListState, usualOrder } from "@/lib/templates/list.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { liveTasks } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { viewOfList } from "@/routes/(_pages)/templates/templates.ts";

/** Reads the latest task of a template after a change, once for all viewers who see the same. */
const lastTaskAfter = onceForSeen(
  ({ template_id }: { template_id: number }, scope: ProjectScope) =>
    getLastTask(scope, template_id),
);

/** Streams changes of templates' latest tasks, and the tasks below the expanded row. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url } = ctx;
    const { ui, shell, scope } = state;
    const viewId = params.viewId === undefined ? null : pageId(params.viewId);
    const view = viewOfList(await viewService.list(scope), viewId);
    const list = readListState(url.searchParams, usualOrder(view));
    const page = listAddress(paths.templates(shell.project.id, viewId), list);
    const shown = { ui, page, mayRun: may(shell, "run_tasks") };
    const follow = liveTasks(state, async (tasks) => {
      const parts = await Promise.all(tasks.map(async (changed) => {
        const { id, template_id: templateId } = changed;
        const task = await lastTaskAfter(changed, scope);
        const news = taskNews(ui, changed, runsOf(templateId));
        const last = { ui, templateId, task };
        return [
          <LastStatus key={id} {...last} news={news} />,
          <LastTask key={id} {...last} page={page} />,
          <LastVersion key={id} {...last} />,
          ...(list.open === templateId
            ? [<RunRow key={id} {...shown} task={changed} news={{ into: news.into }} />]
            : []),
        ];
      }));
      return parts.flat();
    });
    return openStream(ctx, follow, { events: (events) => events });
  },
});
