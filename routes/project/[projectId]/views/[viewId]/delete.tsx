import { paths } from "@/lib/base/paths.ts";
import { accessRuleOf } from "@/lib/model/access_rule.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  find: (scope, { params }) => viewService.get(scope, pageId(params.viewId)),
  ask: (ui, { title, ...view }, { scope }) => ({
    title: ui.t("views.delete_title"),
    parts: [title],
    question: [
      ui.t("views.delete_question", { title }),
      accessRuleOf(view) ? ui.t("views.delete_rule") : "",
    ].join(" ").trim(),
    cancel: paths.views(scope.projectId),
  }),
  act: (scope, { id }) => viewService.delete(scope, id),
  next: ({ title }, { state: { scope } }) => [
    paths.views(scope.projectId),
    "flash.views.deleted",
    { title },
  ],
});
export { handler, Page as default };
