import { page } from "fresh";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { HistoryFilter } from "@/components/projects/HistoryFilter.tsx";
import { HistoryTable } from "@/components/projects/HistoryTable.tsx";
import { Onboarding } from "@/components/projects/Onboarding.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { define } from "@/lib/web/state.ts";
import { listTasks } from "@/lib/tasks/service.ts";
import { loadFirstSteps } from "@/routes/(_pages)/first_steps.ts";
import { HISTORY_LIST, historyQuery, PAGE_TASKS, queryOf } from "@/routes/(_pages)/history.ts";
import { liveUrl } from "@/lib/web/pages/live.ts";
import { paths } from "@/lib/base/paths.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { before, status } = historyQuery.parse(Object.fromEntries(ctx.url.searchParams));
    const filter = { limit: PAGE_TASKS, before, status };
    const list = await listTasks(ctx.state.scope, filter);
    return page({ ...list, before, status, steps: await loadFirstSteps(ctx.state, ctx.req) });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell, deps } = state;
  const { tasks, hasNext, before, status } = data;
  const query = queryOf({ status });
  const older = queryOf({ status, before: tasks.at(-1)?.id });
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.history"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="history" />
      <Onboarding ui={ui} projectId={shell.project.id} steps={data.steps} />
      <HistoryFilter ui={ui} action={url.pathname} status={status} />
      <div id="history" data-live={liveUrl(state, paths.historyEvents(shell.project.id), query)}>
        <HistoryTable
          ui={ui}
          tasks={tasks}
          now={deps.clock.now()}
          query={queryOf({ status, before })}
          live={before ? undefined : { id: HISTORY_LIST, limit: PAGE_TASKS }}
        />
      </div>
      <Pagination
        ui={ui}
        newest={before ? `${url.pathname}?${query}` : undefined}
        older={hasNext ? `${url.pathname}?${older}` : undefined}
      />
    </>
  );
});
