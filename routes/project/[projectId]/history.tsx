import { page } from "fresh";
import { z } from "zod";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { HistoryFilter } from "@/components/projects/HistoryFilter.tsx";
import { HistoryTable } from "@/components/projects/HistoryTable.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { define } from "@/lib/web/state.ts";
import { listNumber } from "@/lib/base/list_query.ts";
import { listTasks } from "@/lib/tasks/service.ts";
import { STATUSES } from "@/lib/tasks/status.ts";

const PAGE_TASKS = 20;

/** What cannot be read in the address is as if it were not there. */
const historyQuery = z.object({
  before: listNumber(),
  status: z.enum(STATUSES).optional().catch(undefined),
});

export const handler = define.handlers({
  async GET(ctx) {
    const { before, status } = historyQuery.parse(Object.fromEntries(ctx.url.searchParams));
    const filter = { limit: PAGE_TASKS, before, status };
    const list = await listTasks(ctx.state.scope, filter);
    return page({ ...list, before, status });
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
      <HistoryFilter ui={ui} action={url.pathname} status={status} />
      <HistoryTable
        ui={ui}
        tasks={tasks}
        now={deps.clock.now()}
        query={queryOf({ status, before })}
      />
      <Pagination
        ui={ui}
        newest={before ? `${url.pathname}?${query}` : undefined}
        older={hasNext ? `${url.pathname}?${older}` : undefined}
      />
    </>
  );
});

function queryOf(values: Record<string, string | number | undefined>): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
