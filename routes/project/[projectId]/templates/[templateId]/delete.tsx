import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { References } from "@/components/ui/References.tsx";
import { paths } from "@/lib/base/paths.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";

export const handler = deleteHandlers({
  param: "templateId",
  service: {
    get: getTemplate,
    delete: deleteTemplate,
    references: (scope, id) => referencesTo(scope, ["templates", id]),
  },
  done: (projectId, { name }) => [
    paths.section(projectId, "templates"),
    "flash.templates.deleted",
    { name },
  ],
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { item: template, references } = data;
  const { id: projectId, name: projectName } = shell.project;
  const back = ui.href(paths.template(projectId, template.id));
  const title = ui.t("templates.delete_title");
  const groups = [
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
  ];
  const isUsed = groups.some(({ items }) => items.length > 0);
  return (
    <>
      <Title ui={ui} parts={[title, template.name, projectName]} />
      {isUsed
        ? (
          <References
            ui={ui}
            title={ui.t("templates.cannot_delete")}
            sentence={ui.t("templates.cannot_delete_hint")}
            groups={groups}
            close={back}
          />
        )
        : (
          <Confirm
            ui={ui}
            title={title}
            question={ui.t("templates.delete_question", { name: template.name })}
            action={`${back}/delete`}
            cancel={back}
            yes={ui.t("actions.delete")}
          />
        )}
    </>
  );
});
