import { reopen } from "@/lib/access/scope.ts";
import { define } from "@/lib/web/state.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { rejectTask } from "@/lib/queue/stop.ts";
import { getTask } from "@/lib/tasks/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { shell } = ctx.state;
    const projectId = shell.project.id;
    const taskId = pageId(ctx.params.taskId);
    const { back } = await readForm(ctx.req);
    await rejectTask(await reopen(ctx.state.scope, "run_tasks"), taskId);
    const { template_id } = await getTask(ctx.state.scope, taskId);
    return seeOther(ctx, backPath(back, projectId, paths.task(projectId, template_id, taskId)));
  },
});
