import { page } from "fresh";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { renewRequirements } from "@/lib/resources/repositories/requirements.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

/** Asks whether the next tasks should install the requirements of a repository again. */
export const handler = define.handlers({
  async GET({ state: { shell, scope }, params }) {
    requirePermission(shell, "manage_resources");
    return page({ repository: await repositoryService.get(scope, pageId(params.repositoryId)) });
  },

  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.repositoryId);
    await renewRequirements(await reopen(scope, "manage_resources"), id);
    const { name } = await repositoryService.get(scope, id);
    const list = paths.section(scope.projectId, "repositories");
    return seeOther(ctx, list, "flash.repositories.install_again", { name });
  },
});

export default define.page<typeof handler>(({ data: { repository }, state: { ui, shell } }) => {
  const list = paths.section(shell.project.id, "repositories");
  const title = ui.t("start_task.force_galaxy_install");
  return (
    <>
      <Title ui={ui} parts={[title, repository.name, shell.project.name]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("repositories.install_again_hint")}
        action={ui.href(
          `${paths.item(shell.project.id, "repositories", repository.id)}/requirements`,
        )}
        cancel={ui.href(list)}
        yes={title}
      />
    </>
  );
});
