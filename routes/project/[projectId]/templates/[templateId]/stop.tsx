import { paths } from "@/lib/base/paths.ts";
import { stopTemplateTasks } from "@/lib/queue/ending/stop.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

/** Asks before all unfinished tasks of a template are stopped. */
const { handler, Page } = confirmPage({
  rights: asMember("stop_all_tasks"),
  find: (scope, { params }) => getTemplate(scope, pageId(params.templateId)),
  ask: (ui, { id, name }, { scope }) => ({
    title: ui.t("templates.stop_all"),
    parts: [name],
    question: ui.t("templates.stop_all_question", { name }),
    cancel: paths.template(scope.projectId, id),
    yes: ui.t("templates.stop_all"),
  }),
  act: (scope, { id }) => stopTemplateTasks(scope, id, false),
  next: ({ id }, { state: { scope } }) => [
    paths.template(scope.projectId, id),
    "flash.templates.stopped",
  ],
});
export { handler, Page as default };
