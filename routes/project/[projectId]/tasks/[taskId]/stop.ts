import { define, signedIn } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { stopTask } from "@/lib/queue/stop.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, shell } = ctx.state;
    const actor = signedIn(ctx.state);
    const projectId = shell.project.id;
    const taskId = pageId(ctx.params.taskId);
    const { force } = await readForm(ctx.req);
    await stopTask(deps, actor, projectId, taskId, force === "true");
    const { template_id } = await getTask(deps, actor, projectId, taskId);
    return seeOther(ctx, paths.task(projectId, template_id, taskId));
  },
});
