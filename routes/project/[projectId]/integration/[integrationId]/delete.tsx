import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { AskDelete } from "@/components/integrations/AskDelete.tsx";
import { define } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { deleteIntegration, getIntegration } from "@/lib/triggers/integrations/service.ts";

export const handler = define.handlers({
  async GET({ state, params }) {
    const { shell } = state;
    requirePermission(shell, "manage_resources");
    const id = pageId(params.integrationId);
    return page(await getIntegration(state.scope, id));
  },

  async POST(ctx) {
    const { shell: { project } } = ctx.state;
    const id = pageId(ctx.params.integrationId);
    const { name } = await getIntegration(ctx.state.scope, id);
    await deleteIntegration(await reopen(ctx.state.scope, "manage_resources"), id);
    const list = paths.section(project.id, "integrations");
    return seeOther(ctx, list, "flash.integrations.deleted", { name });
  },
});

export default define.page<typeof handler>(({ data: { project_id, id, name }, state }) => (
  <AskDelete
    ui={state.ui}
    shell={state.shell}
    title={state.ui.t("integrations.delete")}
    name={name}
    question={state.ui.t("integrations.question", { name })}
    item={paths.integration(project_id, id)}
    cancel={paths.integration(project_id, id)}
  />
));
