import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import type { Crumb } from "../ui/Page.tsx";

/** Breadcrumb of the list of integrations. */
export const listCrumb = (ui: Ui, projectId: number): Crumb => ({
  label: ui.t("sections.integrations"),
  href: ui.href(paths.section(projectId, "integrations")),
});

/** Breadcrumbs of the list and of the integration's page. */
export const integrationCrumbs = (
  ui: Ui,
  { project_id, id, name }: Pick<IntegrationView, "project_id" | "id" | "name">,
): Crumb[] => [
  listCrumb(ui, project_id),
  { label: name, href: ui.href(paths.integration(project_id, id)) },
];
