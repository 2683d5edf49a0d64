import { page } from "fresh";
import { ActivityFilter } from "@/components/projects/ActivityFilter.tsx";
import { ActivityTable } from "@/components/projects/ActivityTable.tsx";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { EmptyState } from "@/components/ui/EmptyState.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { NewestFirst } from "@/components/ui/Pagination.tsx";
import { paths } from "@/lib/base/paths.ts";
import { EVENT_OBJECTS } from "@/lib/events/schema.ts";
import { listActivePeople, listActivity, positionInActivity } from "@/lib/tasks/activity.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import {
  ACTIVITY_LIST,
  activitySearch,
  PAGE_EVENTS,
  readActivityFilter,
} from "@/routes/(_pages)/activity.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const filter = readActivityFilter(url.searchParams);
    const [list, position, people] = await Promise.all([
      listActivity(scope, filter),
      positionInActivity(scope, filter),
      listActivePeople(scope),
    ]);
    return page({ ...list, position, people, filter });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell, deps } = state;
  const { activity, hasNext, position, people, filter } = data;
  const { kind, userId: user, before } = filter;
  const first = activitySearch(filter);
  const since = new URLSearchParams([...first, ["since", activity[0]?.id ?? ""]]);
  const isFiltered = first.size > 0;
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.activity"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="activity" />
      <ActivityFilter
        ui={ui}
        action={url.pathname}
        kinds={EVENT_OBJECTS}
        kind={kind}
        people={people}
        user={user}
      />
      {!before && (
        <span hidden data-live={ui.href(`${paths.activityEvents(shell.project.id)}?${since}`)} />
      )}
      <ActivityTable
        ui={ui}
        projectId={shell.project.id}
        mayManage={may(shell, "manage_resources")}
        activity={activity}
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
    </>
  );
});
