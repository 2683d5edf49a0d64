import { ActivityRow } from "@/components/projects/ActivityTable.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { searchOf } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { listPeopleOf, positionInActivity } from "@/lib/tasks/history/activity.ts";
import { followActivity } from "@/lib/tasks/history/follow_activity.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { ACTIVITY_LIST, activityFilter, readActivityQuery } from "@/routes/(_pages)/activity.ts";

/** Streams changes of the latest events, and new events after `since`. */
export const handler = define.handlers({
  GET(ctx) {
    const { state, url } = ctx;
    const { ui, deps, scope, shell } = state;
    const query = readActivityQuery(url.searchParams);
    const filter = activityFilter(query, ui.timeZone);
    const since = url.searchParams.get("since") ?? "";
    return openStream(ctx, (gone) => followActivity(scope, filter, gone), {
      async events({ changed, activity, hasNext }) {
        const people = await listPeopleOf(scope, changed);
        const rows = changed.map((activity) => (
          <ActivityRow
            key={activity.id}
            ui={ui}
            projectId={shell.project.id}
            mayManage={may(shell, "manage_resources")}
            now={deps.clock.now()}
            activity={activity}
            people={people}
            into={activity.id > since ? ACTIVITY_LIST : undefined}
          />
        ));
        const pages = (
          <NewestFirst
            {...{ ui, hasNext }}
            path={ui.href(paths.section(shell.project.id, "activity"))}
            query={searchOf(query)}
            isFirst
            rows={activity}
            position={await positionInActivity(scope, filter)}
          />
        );
        return htmlEvents(ui, [...rows, pages]);
      },
    });
  },
});
