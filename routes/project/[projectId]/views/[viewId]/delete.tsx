import { reopen } from "@/lib/access/scope.ts";
import { Confirm } from "@/components/ui/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { page } from "fresh";

export const handler = define.handlers({
  async GET({ state, params }) {
    const { shell } = state;
    requirePermission(shell, "manage_resources");
    return page(await viewService.get(state.scope, pageId(params.viewId)));
  },

  async POST(ctx) {
    const { shell: { project } } = ctx.state;
    const id = pageId(ctx.params.viewId);
    const { title } = await viewService.get(ctx.state.scope, id);
    await viewService.delete(await reopen(ctx.state.scope, "manage_resources"), id);
    return seeOther(ctx, paths.views(project.id), "flash.views.deleted", { title });
  },
});

export default define.page<typeof handler>(({ data: view, state }) => {
  const { ui, shell: { project } } = state;
  const title = ui.t("views.delete_title");
  return (
    <>
      <Title ui={ui} parts={[title, view.title, project.name]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("views.delete_question", { title: view.title })}
        action={ui.href(paths.deleteView(project.id, view.id))}
        cancel={ui.href(paths.views(project.id))}
        yes={ui.t("actions.delete")}
      />
    </>
  );
});
