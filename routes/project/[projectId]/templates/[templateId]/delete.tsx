import { paths } from "@/lib/base/paths.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  async find(scope, { params }) {
    const { id, name } = await getTemplate(scope, pageId(params.templateId));
    return { id, name, references: await referencesTo(scope, ["templates", id]) };
  },
  ask: (ui, { id, name, references }, { scope: { projectId } }) => ({
    title: ui.t("templates.delete_title"),
    parts: [name],
    question: ui.t("templates.delete_question", { name }),
    cancel: paths.template(projectId, id),
    uses: {
      title: ui.t("references.cannot_delete", { name }),
      sentence: ui.t("templates.cannot_delete_hint"),
      groups: [
        {
          title: ui.t("templates.title"),
          items: references.templates.map(({ id, name }) => ({
            name,
            href: ui.href(paths.template(projectId, id)),
          })),
        },
        {
          title: ui.t("shell.integrations"),
          items: references.integrations.map(({ name }) => ({
            name,
            href: ui.href(paths.section(projectId, "integrations")),
          })),
        },
      ],
    },
  }),
  act: (scope, { id }) => deleteTemplate(scope, id),
  next: ({ name }, { state: { scope } }) => [
    paths.section(scope.projectId, "templates"),
    "flash.templates.deleted",
    { name },
  ],
});
export { handler, Page as default };
