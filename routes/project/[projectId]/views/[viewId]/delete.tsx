import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";

export const handler = deleteHandlers({
  param: "viewId",
  service: viewService,
  done: (projectId, { title }) => [paths.views(projectId), "flash.views.deleted", { title }],
});

export default define.page<typeof handler>(({ data: { item: view }, state }) => {
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
