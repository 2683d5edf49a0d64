import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { startCheck } from "@/lib/triggers/checks/start.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  /** Starts a check of a template, and shows its output. */
  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.templateId);
    return await orBack(ctx, paths.templateDrift(scope.projectId, id), async () => {
      const task = await startCheck(await reopen(scope, "run_tasks"), id);
      return seeOther(ctx, paths.task(scope.projectId, id, task.id));
    });
  },
});
