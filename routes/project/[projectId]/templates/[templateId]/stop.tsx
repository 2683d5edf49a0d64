import { page } from "fresh";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { stopTemplateTasks } from "@/lib/queue/ending/stop.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

/** Asks for confirmation before all unfinished tasks of a template are stopped, and stops them. */
export const handler = define.handlers({
  async GET({ state: { shell, scope }, params }) {
    requirePermission(shell, "run_tasks");
    return page({ template: await getTemplate(scope, pageId(params.templateId)) });
  },

  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.templateId);
    await stopTemplateTasks(await reopen(scope, "run_tasks"), id, false);
    return seeOther(ctx, paths.template(scope.projectId, id), "flash.templates.stopped");
  },
});

export default define.page<typeof handler>(({ data: { template }, state: { ui, shell } }) => {
  const path = ui.href(paths.template(shell.project.id, template.id));
  const title = ui.t("templates.stop_all");
  return (
    <>
      <Title ui={ui} parts={[title, template.name, shell.project.name]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("templates.stop_all_question", { name: template.name })}
        action={`${path}/stop`}
        cancel={path}
        yes={title}
      />
    </>
  );
});
