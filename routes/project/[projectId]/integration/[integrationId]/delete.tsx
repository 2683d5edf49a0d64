import { paths } from "@/lib/base/paths.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("manage_triggers"),
  find: (scope, { params }) => integrationService.get(scope, pageId(params.integrationId)),
  ask: (ui, { project_id, id, name }) => ({
    title: ui.t("integrations.delete"),
    parts: [name],
    question: ui.t("integrations.question", { name }),
    cancel: paths.integration(project_id, id),
  }),
  act: (scope, { id }) => integrationService.delete(scope, id),
  next: ({ project_id, name }) => [
    paths.section(project_id, "integrations"),
    "flash.integrations.deleted",
    { name },
  ],
});
export { handler, Page as default };
