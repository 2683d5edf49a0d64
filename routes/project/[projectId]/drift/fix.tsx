import { page } from "fresh";
import { FixesPage } from "@/components/drift/FixesPage.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { startFixes } from "@/lib/triggers/checks/fix.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts, driftPageOfForm, sentTexts } from "@/routes/(_pages)/drift.ts";

/** Status of the page that says that some of several fixes were refused. */
const PARTLY_REFUSED = 409;

export const handler = define.handlers({
  GET: (ctx) => seeOther(ctx, paths.section(ctx.state.scope.projectId, "drift")),

  /**
   * Starts a task for each template that fixes its chosen hosts, and shows the output, where
   * several tasks are, or which of them were refused.
   */
  async POST(ctx) {
    const { scope } = ctx.state;
    const { projectId } = scope;
    const values = await readForm(ctx.req);
    const from = driftPageOfForm(projectId, values.template);
    return await orBack(ctx, from, async () => {
      const runner = await reopen(scope, "run_tasks");
      const chosen = values.all
        ? [{ template: Number(values.template), hosts: [] }]
        : await chosenHosts(scope, sentTexts(values));
      const commit = values.commit === "latest" ? "latest" : "check";
      const fixes = await startFixes(runner, chosen, commit);
      if (fixes.refused.length > 0) return page({ fixes, from }, { status: PARTLY_REFUSED });
      const [{ template_id, id }, ...others] = fixes.tasks;
      return others.length === 0
        ? seeOther(ctx, paths.task(projectId, template_id, id))
        : seeOther(ctx, paths.section(projectId, "history"), "flash.drift.fixes_started", {
          number: fixes.tasks.length,
        });
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <FixesPage ui={ui} shell={shell} {...data} />
));
