import { page } from "fresh";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { EventTable } from "@/components/projects/EventTable.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { define } from "@/lib/web/state.ts";
import { eventQuery } from "@/lib/events/schema.ts";
import { listEvents, placeOfPage } from "@/lib/events/service.ts";

const PAGE_EVENTS = 20;

export const handler = define.handlers({
  async GET(ctx) {
    const { ui } = ctx.state;
    const { before } = eventQuery.parse(Object.fromEntries(ctx.url.searchParams));
    const query = { limit: PAGE_EVENTS, before, t: ui.t };
    const [list, place] = await Promise.all([
      listEvents(ctx.state.scope, query),
      placeOfPage(ctx.state.scope, before),
    ]);
    return page({ ...list, place, before });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell, deps } = state;
  const { events, hasNext, place, before } = data;
  const older = new URLSearchParams({ before: events.at(-1)?.id ?? "" });
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.activity"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="activity" />
      <EventTable ui={ui} events={events} now={deps.clock.now()} />
      <Pagination
        ui={ui}
        newest={before ? url.pathname : undefined}
        older={hasNext ? `${url.pathname}?${older}` : undefined}
        shown={{ ...place, rows: events.length }}
      />
    </>
  );
});
