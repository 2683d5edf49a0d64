import { reopen, withPermission } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { ProjectFields, projectLabels } from "@/components/projects/ProjectFields.tsx";
import { PREVIEW, RetentionEstimate } from "@/components/projects/RetentionEstimate.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { estimateRetention } from "@/lib/maintenance/retention/service.ts";
import { listChoosable } from "@/lib/resources/toolchains/service.ts";
import { define, type State } from "@/lib/web/state.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { projectForm, projectPageForm } from "@/lib/maintenance/projects/schema.ts";
import { getProject, updateProject } from "@/lib/maintenance/projects/service.ts";

/**
 * Renders the typed settings and their effect. Throws 403 without the permission to change them.
 */
async function settingsPage({ scope }: State, form: FormState, status = 200) {
  const owner = withPermission(scope, "update_project");
  const typed = parseValues(form.values, projectForm.pick({ retention: true }));
  const expiry = typed.ok ? await estimateRetention(owner, typed.value) : null;
  const toolchains = await listChoosable(scope);
  return page({ form, expiry, toolchains }, { status });
}

export const handler = define.handlers({
  async GET({ state }) {
    return await settingsPage(state, restoredForm(state) ?? formOf(state.shell.project));
  },

  async POST(ctx) {
    const { state } = ctx;
    const { project } = state.shell;
    const { [PREVIEW]: preview, ...values } = await readForm(ctx.req);
    if (preview) return await settingsPage(state, { values, errors: {} });
    const typed = withChoices(values, formOf(project));
    const form = await saveForm(parseValues(typed, projectPageForm), async (value) => {
      await updateProject(await reopen(state.scope, "update_project"), value, expectedOf(typed));
      return value;
    });
    if (!form.ok) {
      const readNow = async () => formOf(getProject(await reopen(state.scope, "update_project")));
      const refused = await refusedForm(typed, form.errors, readNow);
      return await settingsPage(state, refused.form, refused.status);
    }
    const { id } = project;
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
