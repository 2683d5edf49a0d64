import { TaskApproval } from "@/components/tasks/TaskApproval.tsx";
import { paths } from "@/lib/base/paths.ts";
import { followApproval } from "@/lib/queue/approvals/approvals.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the approval of a task, until the task has ended. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url } = ctx;
    const { scope, ui, deps } = state;
    const { id, project_id: projectId } = await getTask(scope, pageId(params.taskId));
    const own = paths.taskPage(projectId, id);
    const here = backPath(url.searchParams.get("here") ?? undefined, projectId, own);
    return openStream(ctx, (gone) => followApproval(scope, id, gone), {
      events({ task, approval }) {
        const now = deps.clock.now();
        return htmlEvents(ui, [TaskApproval({ ui, task, approval, now, here, follows: true })]);
      },
    });
  },
});
