import { define, signedIn } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { confirmTask } from "@/lib/queue/stop.ts";
import { getTask } from "@/lib/tasks/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, shell } = ctx.state;
    const actor = signedIn(ctx.state);
    const projectId = shell.project.id;
    const taskId = pageId(ctx.params.taskId);
    await confirmTask(deps, actor, projectId, taskId);
    const { template_id } = await getTask(deps, actor, projectId, taskId);
    return seeOther(ctx, paths.task(projectId, template_id, taskId));
  },
});
