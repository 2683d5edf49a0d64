import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Confirm } from "../ui/forms/Confirm.tsx";
import { Title } from "../ui/Page.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";

interface AskDeleteProps {
  ui: Ui;
  shell: Shell;
  title: string;
  name: string;
  question: string;
  /** Paths below the sub-path: of the deleted item, and of "Cancel". */
  item: string;
  cancel: string;
}

/** Asks before an integration or a rule of it is deleted. */
export function AskDelete({ ui, shell, title, name, question, item, cancel }: AskDeleteProps) {
  return (
    <>
      <Title ui={ui} parts={[title, name, shell.project.name]} />
      <Confirm
        ui={ui}
        title={title}
        question={question}
        action={`${ui.href(item)}/delete`}
        cancel={ui.href(cancel)}
        yes={ui.t("actions.delete")}
      />
    </>
  );
}

interface DeleteRuleProps {
  ui: Ui;
  shell: Shell;
  integration: IntegrationView;
  list: "matchers" | "values";
  rule: { id: number; name: string };
}

/** Asks before a matcher or extract value is deleted. */
export function DeleteRule({ ui, shell, integration, list, rule }: DeleteRuleProps) {
  const { project_id, id } = integration;
  const { name } = rule;
  return (
    <AskDelete
      ui={ui}
      shell={shell}
      title={ui.t(`integration_rules.${list}.delete`)}
      name={name}
      question={ui.t(`integration_rules.${list}.question`, { name })}
      item={paths.integrationRule(project_id, id, list, rule.id)}
      cancel={`${paths.integration(project_id, id)}#${list}`}
    />
  );
}
