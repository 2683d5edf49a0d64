import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { ProjectFields, projectLabels } from "@/components/projects/ProjectFields.tsx";
import { PREVIEW, RetentionEstimate } from "@/components/projects/RetentionEstimate.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { withPermission } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { projectForm, projectPageForm } from "@/lib/maintenance/projects/schema.ts";
import { getProject, updateProject } from "@/lib/maintenance/projects/service.ts";
import { estimateRetention } from "@/lib/maintenance/retention/service.ts";
import { listChoosable } from "@/lib/resources/toolchains/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asMember("update_project"),
  find: (scope) => ({ project: getProject(scope) }),
  shown: ({ project }) => formOf(project),
  button: ({ [PREVIEW]: preview, ...values }) => preview ? { form: { values, errors: {} } } : null,
  parse: (typed) => parseValues(typed, projectPageForm),
  save: ({ scope, value, expected }) => updateProject(scope, value, expected),
  next: ({ scope, value: { name } }) => [
    paths.section(scope.projectId, "settings"),
    "flash.project.saved",
    { name },
  ],
  async beside({ values }, _found, { state: { scope } }) {
    const owner = withPermission(scope, "update_project");
    const typed = parseValues(values, projectForm.pick({ retention: true }));
    const expiry = typed.ok ? await estimateRetention(owner, typed.value) : null;
    return { expiry, toolchains: await listChoosable(scope) };
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { id } = shell.project;
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.settings"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="settings" />
      <div class="grid gap-6 items-start max-w-lg xl:grid-cols-2 xl:max-w-5xl">
        <section class="card" aria-label={ui.t("dashboard.settings")}>
          <Form
            ui={ui}
            form={data.form}
            action={ui.href(paths.section(id, "settings"))}
            save={ui.t("actions.save")}
            labels={projectLabels(ui)}
          >
            <ProjectFields ui={ui} form={data.form} toolchains={data.toolchains} stored />
            <RetentionEstimate ui={ui} expiry={data.expiry} />
          </Form>
        </section>
        <div class="grid gap-6">
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
      </div>
    </>
  );
});
