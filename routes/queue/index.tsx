import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { QueueTable } from "@/components/queue/QueueTable.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { listQueue } from "@/lib/queue/waiting/list.ts";
import { stopQueuedTask } from "@/lib/queue/ending/stop.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

const PAGE_TASKS = 200;

/** Lists running and waiting tasks of all projects, for admins of the server. */
export const handler = define.handlers({
  async GET({ state, url }) {
    const after = listNumber().parse(url.searchParams.get("after"));
    const queue = await listQueue(requireAdmin(userScope(state)), { limit: PAGE_TASKS, after });
    return page({ ...queue, isFirst: after === undefined });
  },

  /** Stops the named task. */
  async POST(ctx) {
    const { task } = await readForm(ctx.req);
    const id = pageId(task);
    await stopQueuedTask(requireAdmin(userScope(ctx.state)), id);
    return seeOther(ctx, paths.queue(), "flash.queue.stopped", { id });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <>
    <AdminHeader ui={ui} title={ui.t("queue.title")} />
    <QueueTable ui={ui} tasks={data.tasks} />
    <Pagination
      ui={ui}
      newest={data.isFirst ? undefined : ui.href(paths.queue())}
      older={data.hasNext
        ? ui.href(`${paths.queue()}?after=${data.tasks.at(-1)!.task_id}`)
        : undefined}
      labels={[ui.t("queue.oldest"), ui.t("queue.newer")]}
    />
  </>
));
