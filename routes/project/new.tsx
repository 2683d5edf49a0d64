import { Doors } from "@/components/projects/Doors.tsx";
import { ProjectFields, projectLabels } from "@/components/projects/ProjectFields.tsx";
import { Frame } from "@/components/shell/Frame.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { requireCreator } from "@/lib/access/scope.ts";
import { operatorCommand } from "@/lib/base/machine/operator_command.ts";
import { paths } from "@/lib/base/paths.ts";
import { newProjectForm } from "@/lib/maintenance/projects/schema.ts";
import { createProject, freeDemoName, listProjects } from "@/lib/maintenance/projects/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { asUser } from "@/lib/web/rights.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asUser,
  find: async (scope) => ({ projects: await listProjects(scope) }),
  shown: () => newForm(),
  // The demo needs no name.
  read: async (sent, _found, { state }) =>
    sent.demo && !sent.name?.trim()
      ? { ...sent, name: await freeDemoName(userScope(state)) }
      : sent,
  parse: (typed) => parseValues(typed, newProjectForm),
  save: ({ scope, value }) => createProject(requireCreator(scope), value),
  next: ({ result: { id, name } }) => [
    paths.section(id, "history"),
    "flash.project.created",
    { name },
  ],
});

export default define.page<typeof handler>(({ data: { projects, form }, state, url, req }) => {
  const { ui } = state;
  const frame = frameOf(state.deps, signedIn(state), { url, req });
  const { admin, mayCreateProjects } = frame.viewer;
  // Users without a project have no page to go back to.
  const close = projects.length > 0 ? ui.href("/") : null;
  return (
    <Frame {...frame} ui={ui} shell={null} projects={projects}>
      <Title ui={ui} parts={[ui.t("projects.new")]} />
      {mayCreateProjects && projects.length === 0
        ? (
          <Doors
            ui={ui}
            form={form}
            importCommand={admin ? operatorCommand("import semaphore") : null}
          />
        )
        : (
          <Dialog ui={ui} id="new-project" title={ui.t("projects.new")} close={close}>
            {mayCreateProjects
              ? (
                <Form
                  ui={ui}
                  form={form}
                  action={ui.href(paths.newProject())}
                  save={ui.t("actions.create")}
                  labels={projectLabels(ui)}
                  actions={<Button name="demo" value="true">{ui.t("projects.create_demo")}</Button>}
                >
                  <ProjectFields ui={ui} form={form} autofocus />
                </Form>
              )
              : (
                <Alert kind="info">
                  {ui.t(projects.length > 0 ? "projects.may_not_create" : "projects.none_yet")}
                </Alert>
              )}
          </Dialog>
        )}
    </Frame>
  );
});
