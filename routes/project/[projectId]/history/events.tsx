import { HistoryRow } from "@/components/projects/HistoryTable.tsx";
import { taskNews } from "@/components/tasks/news.ts";
import { liveResponse } from "@/lib/web/pages/live.ts";
import { define } from "@/lib/web/state.ts";
import { HISTORY_LIST, historyQuery, queryOf } from "@/routes/(_pages)/history.ts";

/** The history's rows as they change; new ones where they match the page's filter. */
export const handler = define.handlers({
  GET({ state, req, url }) {
    const { ui, deps } = state;
    const { status } = historyQuery.parse(Object.fromEntries(url.searchParams));
    return liveResponse(
      state,
      { headers: req.headers, url },
      (tasks) =>
        tasks.map((task) => (
          <HistoryRow
            ui={ui}
            task={task}
            now={deps.clock.now()}
            query={queryOf({ status })}
            news={taskNews(ui, task, !status || status === task.status ? HISTORY_LIST : undefined)}
          />
        )),
    );
  },
});
