import { paths } from "../../lib/base/paths.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import { AskDelete } from "./AskDelete.tsx";

interface DeletePartProps {
  ui: Ui;
  shell: Shell;
  integration: IntegrationView;
  list: "matchers" | "values";
  part: { id: number; name: string };
}

/** Asks before a matcher or extract value is deleted. */
export function DeletePart({ ui, shell, integration, list, part }: DeletePartProps) {
  const { project_id, id } = integration;
  const { name } = part;
  return (
    <AskDelete
      ui={ui}
      shell={shell}
      title={ui.t(`parts.${list}.delete`)}
      name={name}
      question={ui.t(`parts.${list}.question`, { name })}
      item={paths.integrationPart(project_id, id, list, part.id)}
      cancel={`${paths.integration(project_id, id)}#${list}`}
    />
  );
}
