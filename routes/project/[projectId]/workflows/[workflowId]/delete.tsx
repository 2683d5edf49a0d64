import { referenceGroups } from "@/components/resources/reference_groups.ts";
import { paths } from "@/lib/base/paths.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { deleteWorkflow, getWorkflow, workflowReferences } from "@/lib/workflows/service.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  async find(scope, { params }) {
    const id = pageId(params.workflowId);
    const { name } = await getWorkflow(scope, id);
    return { id, name, references: await workflowReferences(scope, id) };
  },
  ask: (ui, { id, name, references }, { shell }) => ({
    title: ui.t("workflows.delete"),
    parts: [name],
    question: ui.t("workflows.delete_question", { name }),
    cancel: paths.workflow(shell.project.id, id),
    uses: {
      title: ui.t("references.cannot_delete", { name }),
      sentence: ui.t("references.sentence", { name }),
      groups: referenceGroups(ui, shell, references),
    },
  }),
  act: (scope, { id }) => deleteWorkflow(scope, id),
  next: ({ name }, { state: { scope } }) => [
    paths.section(scope.projectId, "workflows"),
    "flash.workflows.deleted",
    { name },
  ],
});
export { handler, Page as default };
