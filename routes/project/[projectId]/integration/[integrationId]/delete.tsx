import { AskDelete } from "@/components/integrations/AskDelete.tsx";
import { paths } from "@/lib/base/paths.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";

export const handler = deleteHandlers({
  param: "integrationId",
  service: integrationService,
  done: (projectId, { name }) => [
    paths.section(projectId, "integrations"),
    "flash.integrations.deleted",
    { name },
  ],
});

export default define.page<typeof handler>((
  { data: { item: { project_id, id, name } }, state },
) => (
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
