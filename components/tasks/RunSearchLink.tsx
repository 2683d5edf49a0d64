import { ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

interface RunSearchLinkProps {
  ui: Ui;
  template: { id: number; project_id: number };
}

/** Link to the search in the logs of a template's tasks. */
export const RunSearchLink = ({ ui, template: { id, project_id } }: RunSearchLinkProps) => (
  <ButtonLink icon="search" href={ui.href(paths.searchRuns(project_id, id))}>
    {ui.t("run_search.way")}
  </ButtonLink>
);
