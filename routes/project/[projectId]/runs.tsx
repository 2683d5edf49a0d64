import { page } from "fresh";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { RunsFilter } from "@/components/workflows/RunsFilter.tsx";
import { RunTable } from "@/components/workflows/RunTable.tsx";
import { searchOf } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { define } from "@/lib/web/state.ts";
import { getShownRuns } from "@/lib/workflows/runs/follow.ts";
import { listRunStarters, positionInRuns } from "@/lib/workflows/runs/history.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";
import { readBefore } from "@/routes/(_pages)/history.ts";
import { readRunsQuery, runFilterOf } from "@/routes/(_pages)/workflows/runs.ts";

/** Lists the runs of all workflows of the project. */
export const handler = define.handlers({
  async GET({ state: { scope, ui }, url: { searchParams } }) {
    const [workflows, people] = await Promise.all([
      listWorkflowNames(scope),
      listRunStarters(scope),
    ]);
    const query = readRunsQuery(searchParams);
    // The runs of a deleted workflow are deleted, too.
    if (!workflows.has(query.workflow ?? 0)) delete query.workflow;
    const before = readBefore(searchParams);
    const filter = runFilterOf(query, ui.timeZone, before);
    const [list, position] = await Promise.all([
      getShownRuns(scope, filter),
      positionInRuns(scope, filter),
    ]);
    return page({ ...list, position, query, before, workflows, people });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell, deps } = state;
  const { runs, hasNext, version, position, query, before, ...choices } = data;
  const asked = searchOf(query);
  const live = new URLSearchParams([...searchOf({ ...query, before }), ["since", version]]);
  const events = `${ui.href(paths.runsEvents(shell.project.id))}?${live}`;
  const isFiltered = asked.size > 0;
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.runs"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="runs" />
      {(isFiltered || runs.length > 0) && (
        <RunsFilter ui={ui} action={url.pathname} query={query} {...choices} />
      )}
      <div id="live" data-live={events}>
        <RunTable
          ui={ui}
          runs={runs}
          now={deps.clock.now()}
          isMixed
          empty={
            <EmptyState
              icon={isFiltered ? "filter" : "workflows"}
              title={ui.t(isFiltered ? "workflows.no_run" : "workflows.no_runs")}
            >
              {isFiltered
                ? <a href={url.pathname} data-stay>{ui.t("workflows.all_runs")}</a>
                : <p>{ui.t("workflows.about")}</p>}
            </EmptyState>
          }
        />
      </div>
      <NewestFirst
        {...{ ui, hasNext, position }}
        path={url.pathname}
        query={asked}
        isFirst={!before}
        rows={runs}
      />
    </>
  );
});
