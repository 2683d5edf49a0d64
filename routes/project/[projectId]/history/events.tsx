import { HistoryRow } from "@/components/projects/HistoryTable.tsx";
import { Overview } from "@/components/projects/Overview.tsx";
import { FailingMark } from "@/components/shell/Sections.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { taskNews } from "@/components/tasks/news.ts";
import { searchOf } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { readDays } from "@/lib/tasks/trends/service.ts";
import { matchesFilter } from "@/lib/tasks/history/filter.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { listQuestions } from "@/lib/workflows/runs/asking.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { liveTasks } from "@/lib/web/pages/live.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import {
  filterOf,
  HISTORY_LIST,
  mayDeleteTasks,
  PAGE_TASKS,
  positionAfter,
  readBefore,
  readHistoryQuery,
} from "@/routes/(_pages)/history.ts";
import { overviewAfter } from "@/routes/(_pages)/overview.ts";

/** Streams changed rows of the history, new rows that match its filter, and the overview. */
export const handler = define.handlers({
  GET(ctx) {
    const { state, url } = ctx;
    const { ui, deps, scope, shell } = state;
    const query = readHistoryQuery(url.searchParams);
    const before = readBefore(url.searchParams);
    const filter = { ...filterOf(query, ui.timeZone), limit: PAGE_TASKS };
    const since = listNumber(0).parse(url.searchParams.get("seen") ?? undefined) ?? 0;
    const shown = () => ({
      ui,
      projectId: shell.project.id,
      now: deps.clock.now(),
      query: searchOf({ ...query, before }),
      mayRun: may(shell, "run_tasks"),
      mayApprove: may(shell, "approve_tasks"),
      mayDelete: mayDeleteTasks(state),
    });
    const overview = async (cause: object) => {
      if (before !== undefined) return []; // Pages of older tasks do not show it.
      const [overview, questions, days] = await Promise.all([
        overviewAfter(cause, scope),
        listQuestions(scope),
        readDays(scope, ui.timeZone),
      ]);
      const states = <Overview {...shown()} {...{ overview, questions, days, since }} />;
      const mark = <FailingMark ui={ui} count={overview.failing.length} />;
      return [states, mark];
    };
    const pages = async (cause: object) => {
      const [{ tasks, hasNext, next }, position] = await Promise.all([
        listStartedTasks(scope, filter),
        positionAfter(cause, scope, filter),
      ]);
      const path = ui.href(paths.section(shell.project.id, "history"));
      const asked = searchOf(query);
      return (
        <NewestFirst
          {...{ ui, path, hasNext, next, position }}
          query={asked}
          isFirst
          rows={tasks}
        />
      );
    };
    const follow = liveTasks(
      state,
      async (tasks, cause) => [
        ...tasks.map((task) => {
          const isNew = matchesFilter({ ...task, trigger: task.initiator.trigger }, filter);
          const news = taskNews(ui, task, isNew ? HISTORY_LIST : undefined);
          return <HistoryRow key={task.id} {...shown()} task={task} news={news} />;
        }),
        ...await overview(cause),
        await pages(cause),
      ],
      { progress: overview, runs: overview },
    );
    return openStream(ctx, follow, {
      events: (events) => events,
    });
  },
});
