import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { AlertTest } from "@/components/projects/AlertTest.tsx";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { ProjectFields, projectLabels } from "@/components/projects/ProjectFields.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Form } from "@/components/ui/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { newForm, submitForm } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/pages/shell.ts";
import { projectForm } from "@/lib/upkeep/projects/schema.ts";
import { updateProject } from "@/lib/upkeep/projects/service.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { shell } = ctx.state;
    requirePermission(shell, "update_project");
    return page({ form: newForm(shell.project) });
  },

  async POST(ctx) {
    const { shell } = ctx.state;
    const { id } = shell.project;
    const form = await submitForm(ctx.req, projectForm, async (value) => {
      await updateProject(await reopen(ctx.state.scope, "update_project"), value);
      return value;
    });
    if (!form.ok) return page({ form }, { status: 422 });
    const { name } = form.result;
    return seeOther(ctx, paths.section(id, "settings"), "flash.project.saved", { name });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { id } = shell.project;
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.settings"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="settings" />
      <div class="grid gap-6 max-w-lg">
        <section class="card" aria-label={ui.t("dashboard.settings")}>
          <Form
            ui={ui}
            form={data.form}
            action={ui.href(paths.section(id, "settings"))}
            save={ui.t("actions.save")}
            labels={projectLabels(ui)}
          >
            <ProjectFields ui={ui} form={data.form} stored />
          </Form>
        </section>
        <section class="card grid gap-3 justify-items-start">
          <h2 class="m-0">{ui.t("projects.alerts.title")}</h2>
          <p class="m-0 text-muted">{ui.t("projects.alerts.text")}</p>
          <AlertTest ui={ui} projectId={id} />
        </section>
        <section class="card grid gap-3 justify-items-start">
          <h2 class="m-0">{ui.t("projects.backup.title")}</h2>
          <p class="m-0 text-muted">{ui.t("projects.backup.text")}</p>
          <ButtonLink icon="download" href={ui.href(`/api/project/${id}/backup`)}>
            {ui.t("projects.backup.download")}
          </ButtonLink>
        </section>
        <section class="card grid gap-3 justify-items-start">
          <h2 class="m-0">{ui.t("projects.delete.title")}</h2>
          <p class="m-0 text-muted">{ui.t("projects.delete.text")}</p>
          <ButtonLink
            kind="danger"
            icon="delete"
            href={ui.href(`${paths.section(id, "settings")}/delete`)}
            over
          >
            {ui.t("projects.delete.title")}
          </ButtonLink>
        </section>
      </div>
    </>
  );
});
