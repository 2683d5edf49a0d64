import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { startFix } from "@/lib/triggers/checks/fix.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts, driftPageOfForm, sentTexts } from "@/routes/(_pages)/drift.ts";

export const handler = define.handlers({
  /**
   * Starts a task for each template that fixes its chosen hosts, and shows the output, or where
   * several tasks are.
   */
  async POST(ctx) {
    const { scope } = ctx.state;
    const { projectId } = scope;
    const values = await readForm(ctx.req);
    return await orBack(ctx, driftPageOfForm(projectId, values.template), async () => {
      const runner = await reopen(scope, "run_tasks");
      const chosen = values.all
        ? [{ template: Number(values.template), hosts: [] }]
        : await chosenHosts(scope, sentTexts(values));
      const commit = values.commit === "latest" ? "latest" : "check";
      const tasks = [];
      for (const { template, hosts } of chosen) {
        tasks.push(await startFix(runner, template, { hosts, commit }));
      }
      const [{ template_id, id }] = tasks;
      return tasks.length === 1
        ? seeOther(ctx, paths.task(projectId, template_id, id))
        : seeOther(ctx, paths.section(projectId, "history"), "flash.drift.fixes_started", {
          number: tasks.length,
        });
    });
  },
});
