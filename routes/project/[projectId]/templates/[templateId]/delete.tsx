import { reopen } from "@/lib/access/scope.ts";
import { Confirm } from "@/components/ui/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { References } from "@/components/ui/References.tsx";
import { define } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { deleteTemplate } from "@/lib/upkeep/templates.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { page } from "fresh";

export const handler = define.handlers({
  async GET({ state, params }) {
    const { shell } = state;
    requirePermission(shell, "manage_resources");
    const id = pageId(params.templateId);
    const template = await getTemplate(state.scope, id);
    const references = await referencesTo(state.scope, ["templates", id]);
    return page({ template, references });
  },

  async POST(ctx) {
    const { shell } = ctx.state;
    const id = pageId(ctx.params.templateId);
    const { name } = await getTemplate(ctx.state.scope, id);
    await deleteTemplate(await reopen(ctx.state.scope, "manage_resources"), id);
    const list = paths.section(shell.project.id, "templates");
    return seeOther(ctx, list, "flash.templates.deleted", { name });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { template, references } = data;
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
