import { page } from "fresh";
import { ActivityExports } from "@/components/projects/ActivityExports.tsx";
import { ActivityFilter } from "@/components/projects/ActivityFilter.tsx";
import { ActivityTable } from "@/components/projects/ActivityTable.tsx";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { searchOf } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { EVENT_OBJECTS } from "@/lib/events/schema.ts";
import {
  listActivePeople,
  listActivity,
  positionInActivity,
} from "@/lib/tasks/history/activity.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import {
  ACTIVITY_LIST,
  activityFilter,
  exportSearch,
  PAGE_EVENTS,
  readActivityQuery,
  readBefore,
} from "@/routes/(_pages)/activity.ts";

export const handler = define.handlers({
  async GET({ state: { scope, ui }, url }) {
    const query = readActivityQuery(url.searchParams);
    const before = readBefore(url.searchParams);
    const filter = { ...activityFilter(query, ui.timeZone), before };
    const [list, position, people] = await Promise.all([
      listActivity(scope, filter),
      positionInActivity(scope, filter),
      listActivePeople(scope),
    ]);
    return page({ ...list, position, people, query, before });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell, deps } = state;
  const { activity, hasNext, position, people, query, before } = data;
  const first = searchOf(query);
  const since = new URLSearchParams([...first, ["since", activity[0]?.id ?? ""]]);
  const isFiltered = first.size > 0;
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.activity"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="activity" />
      {(isFiltered || activity.length > 0) && (
        <ActivityFilter
          {...{ ui, people, query }}
          action={url.pathname}
          kinds={EVENT_OBJECTS}
          object={activity[0]?.object_name}
        />
      )}
      {!before && (
        <span hidden data-live={ui.href(`${paths.activityEvents(shell.project.id)}?${since}`)} />
      )}
      <ActivityTable
        ui={ui}
        projectId={shell.project.id}
        mayManage={may(shell, "manage_resources")}
        activity={activity}
        people={people}
        now={deps.clock.now()}
        live={before ? undefined : { id: ACTIVITY_LIST, limit: PAGE_EVENTS }}
        empty={
          <EmptyState
            icon="activity"
            title={ui.t(isFiltered ? "activity.no_match" : "dashboard.no_events")}
          >
            {isFiltered && <a href={url.pathname} data-stay>{ui.t("activity.show_all")}</a>}
          </EmptyState>
        }
      />
      <NewestFirst
        {...{ ui, hasNext, position }}
        path={url.pathname}
        query={first}
        isFirst={!before}
        rows={activity}
      />
      <ActivityExports
        ui={ui}
        projectId={shell.project.id}
        search={exportSearch(query, ui.timeZone)}
      />
    </>
  );
});
