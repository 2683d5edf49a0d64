import { DefaultAlertsForm } from "@/components/alerts/DefaultAlerts.tsx";
import { paths } from "@/lib/base/paths.ts";
import { projectAlertsForm } from "@/lib/maintenance/projects/schema.ts";
import { getProject, updateProject } from "@/lib/maintenance/projects/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { alertsOf } from "@/routes/(_pages)/alerts/alerts.ts";

export const handler = formPage({
  rights: asMember("update_project"),
  find: (scope) => ({ project: getProject(scope) }),
  shown: ({ project }) => formOf(project),
  parse: (typed) => parseValues(typed, projectAlertsForm),
  save: ({ scope, value, expected }) => updateProject(scope, value, expected),
  next: ({ scope, found: { project } }) => [
    paths.alerts(scope.projectId),
    "flash.project.saved",
    { name: project.name },
  ],
});

export default define.page<typeof handler>(({ data, state }) => (
  <DefaultAlertsForm ui={state.ui} place={alertsOf(state).place()} form={data.form} />
));
