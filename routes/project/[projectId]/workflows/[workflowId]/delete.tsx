import { referenceGroups } from "@/components/resources/reference_groups.ts";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { References } from "@/components/ui/References.tsx";
import { paths } from "@/lib/base/paths.ts";
import { define } from "@/lib/web/state.ts";
import { deleteWorkflow, getWorkflow, workflowReferences } from "@/lib/workflows/service.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";

export const handler = deleteHandlers({
  param: "workflowId",
  service: { get: getWorkflow, delete: deleteWorkflow, references: workflowReferences },
  done: (projectId, { name }) => [
    paths.section(projectId, "workflows"),
    "flash.workflows.deleted",
    { name },
  ],
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { item: { id, name }, references } = data;
  const { id: projectId, name: projectName } = shell.project;
  const back = ui.href(paths.workflow(projectId, id));
  const title = ui.t("workflows.delete");
  const groups = referenceGroups(ui, shell, references);
  return (
    <>
      <Title ui={ui} parts={[title, name, projectName]} />
      {groups.length > 0
        ? (
          <References
            ui={ui}
            title={ui.t("workflows.cannot_delete")}
            sentence={ui.t("references.sentence", { name })}
            groups={groups}
            close={back}
          />
        )
        : (
          <Confirm
            ui={ui}
            title={title}
            question={ui.t("workflows.delete_question", { name })}
            action={ui.href(paths.workflow(projectId, id, "/delete"))}
            cancel={back}
            yes={ui.t("actions.delete")}
          />
        )}
    </>
  );
});
