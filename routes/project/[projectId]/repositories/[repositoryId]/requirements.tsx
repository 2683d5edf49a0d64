import { paths } from "@/lib/base/paths.ts";
import { renewRequirements } from "@/lib/resources/repositories/requirements.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

/** Asks whether the next tasks should install the requirements of a repository again. */
const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  find: (scope, { params }) => repositoryService.get(scope, pageId(params.repositoryId)),
  ask: (ui, { name }, { scope }) => ({
    title: ui.t("start_task.force_galaxy_install"),
    parts: [name],
    question: ui.t("repositories.install_again_hint"),
    cancel: paths.section(scope.projectId, "repositories"),
    yes: ui.t("start_task.force_galaxy_install"),
    harmless: true,
  }),
  act: (scope, { id }) => renewRequirements(scope, id),
  next: ({ name }, { state: { scope } }) => [
    paths.section(scope.projectId, "repositories"),
    "flash.repositories.install_again",
    { name },
  ],
});
export { handler, Page as default };
