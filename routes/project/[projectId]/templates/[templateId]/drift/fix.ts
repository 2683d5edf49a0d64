import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { startFix } from "@/lib/triggers/checks/fix.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts, requireHosts } from "@/routes/(_pages)/drift.ts";

export const handler = define.handlers({
  /** Starts a task that fixes the chosen hosts, and shows its output. */
  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.templateId);
    const values = await readForm(ctx.req);
    return await orBack(ctx, paths.templateDrift(scope.projectId, id), async () => {
      const hosts = values.all ? [] : requireHosts(chosenHosts(values));
      const commit = values.commit === "latest" ? "latest" : "check";
      const task = await startFix(await reopen(scope, "run_tasks"), id, { hosts, commit });
      return seeOther(ctx, paths.task(scope.projectId, id, task.id));
    });
  },
});
