import { page } from "fresh";
import { ActivityEvent } from "@/components/projects/ActivityEvent.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { getActivity } from "@/lib/tasks/history/activity.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state, params }) {
    const scope = requireAdmin(userScope(state));
    return page({ event: await getActivity(scope, decodeURIComponent(params.eventId)) });
  },
});

export default define.page<typeof handler>(({ data: { event }, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("dashboard.activity"), ui.t("admin.title")]} />
    <ActivityEvent {...{ ui, event }} projectId={null} mayManage />
  </>
));
