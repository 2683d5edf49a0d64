import { page } from "fresh";
import { QueueTable } from "@/components/queue/QueueTable.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { listQueue } from "@/lib/queue/list.ts";
import { stopQueuedTask } from "@/lib/queue/stop.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

/** What runs and waits in all projects: for the server's admins. */
export const handler = define.handlers({
  async GET({ state }) {
    return page({ tasks: await listQueue(requireAdmin(userScope(state))) });
  },

  /** Stops the task that is named. */
  async POST(ctx) {
    const { task } = await readForm(ctx.req);
    const id = pageId(task);
    await stopQueuedTask(requireAdmin(userScope(ctx.state)), id);
    return seeOther(ctx, paths.queue(), "flash.queue.stopped", { id });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("queue.title")]} />
    <PageHeader title={ui.t("queue.title")} />
    <QueueTable ui={ui} tasks={data.tasks} />
  </>
));
