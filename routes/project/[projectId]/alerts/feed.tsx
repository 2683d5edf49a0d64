import { page } from "fresh";
import { AlertsPage } from "@/components/alerts/AlertsPage.tsx";
import { createFeed, deleteFeed } from "@/lib/alerts/feed/service.ts";
import { paths } from "@/lib/base/paths.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { reopen } from "@/lib/access/scope.ts";
import { alertsOf } from "@/routes/(_pages)/alerts/alerts.ts";
import { alertsData } from "@/routes/(_pages)/alerts/targets.tsx";

/** Creates the feed of a project, gives it another address, or deletes it. */
export const handler = define.handlers({
  GET: (ctx) => seeOther(ctx, paths.alerts(ctx.state.shell.project.id)),

  async POST(ctx) {
    const { state, req, url } = ctx;
    const { action } = await readForm(req);
    const scope = await reopen(state.scope, "manage_resources");
    if (action === "delete") {
      await deleteFeed(scope);
      return seeOther(ctx, paths.alerts(scope.projectId), "flash.alert_feed.deleted");
    }
    const { token } = await createFeed(scope);
    const origin = state.deps.config.url?.origin ?? url.origin;
    const address = origin + state.ui.href(`/api/feeds/${token}`);
    return page({ ...await alertsData(state), address });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <AlertsPage ui={state.ui} place={alertsOf(state).place()} {...data} />
));
