import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { ActivityExports } from "@/components/projects/ActivityExports.tsx";
import { ActivityFilter } from "@/components/projects/ActivityFilter.tsx";
import { ActivityTable } from "@/components/projects/ActivityTable.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { searchOf } from "@/lib/base/lists/list_query.ts";
import { requireAdmin } from "@/lib/access/scope.ts";
import type { EventObject } from "@/lib/events/schema.ts";
import {
  listActivePeople,
  listActivity,
  positionInActivity,
} from "@/lib/tasks/history/activity.ts";
import { define, userScope } from "@/lib/web/state.ts";
import {
  activityFilter,
  exportSearch,
  readActivityQuery,
  readBefore,
} from "@/routes/(_pages)/activity.ts";

/** Objects outside of projects. */
const SERVER_OBJECTS: readonly EventObject[] = [
  "user",
  "project",
  "group_rules",
  "runner",
  "alert",
];

export const handler = define.handlers({
  async GET({ state, url }) {
    const scope = requireAdmin(userScope(state));
    const query = readActivityQuery(url.searchParams);
    const before = readBefore(url.searchParams);
    const filter = { ...activityFilter(query, state.ui.timeZone), before };
    const [list, position, people] = await Promise.all([
      listActivity(scope, filter),
      positionInActivity(scope, filter),
      listActivePeople(scope),
    ]);
    return page({ ...list, position, people, query, before });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, deps }, url }) => {
  const { activity, hasNext, position, people, query, before } = data;
  const first = searchOf(query);
  return (
    <>
      <AdminHeader ui={ui} title={ui.t("dashboard.activity")} />
      {(first.size > 0 || activity.length > 0) && (
        <ActivityFilter
          {...{ ui, people, query }}
          action={url.pathname}
          kinds={SERVER_OBJECTS}
          object={activity[0]?.object_name}
        />
      )}
      <ActivityTable
        {...{ ui, activity, people }}
        projectId={null}
        mayManage
        now={deps.clock.now()}
        empty={
          <EmptyState
            icon="activity"
            title={ui.t(first.size > 0 ? "activity.no_match" : "dashboard.no_events")}
          />
        }
      />
      <NewestFirst
        {...{ ui, hasNext, position }}
        path={url.pathname}
        query={first}
        isFirst={!before}
        rows={activity}
      />
      <ActivityExports {...{ ui }} projectId={null} search={exportSearch(query, ui.timeZone)} />
    </>
  );
});
