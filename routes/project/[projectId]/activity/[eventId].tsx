import { page } from "fresh";
import { ActivityEvent } from "@/components/projects/ActivityEvent.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { getActivity } from "@/lib/tasks/history/activity.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: async ({ state: { scope }, params }) =>
    page({ event: await getActivity(scope, decodeURIComponent(params.eventId)) }),
});

export default define.page<typeof handler>(({ data: { event }, state: { ui, shell } }) => (
  <>
    <Title ui={ui} parts={[ui.t("dashboard.activity"), shell.project.name]} />
    <ActivityEvent
      {...{ ui, event }}
      projectId={shell.project.id}
      mayManage={may(shell, "manage_resources")}
    />
  </>
));
