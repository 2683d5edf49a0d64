import type { AliasView } from "../../lib/triggers/aliases/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import type {
  ExtractValueView,
  MatcherView,
} from "../../lib/triggers/integrations/rule_schemas.ts";
import type { DeliveryView } from "../../lib/triggers/webhooks/schema.ts";
import { IconLink } from "../ui/Button.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import { Aliases } from "./Aliases.tsx";
import { listCrumb } from "./crumbs.ts";
import { Deliveries } from "./Deliveries.tsx";
import {
  type IntegrationChoices,
  IntegrationFields,
  integrationLabels,
  methodLabel,
} from "./IntegrationFields.tsx";
import { curlLine } from "./curl_line.ts";
import { ExtractValues, Matchers } from "./RuleTables.tsx";
import { Switch } from "./Switch.tsx";

interface IntegrationPageProps {
  ui: Ui;
  shell: Shell;
  integration: IntegrationView;
  choices: IntegrationChoices;
  form: FormState;
  values: ExtractValueView[];
  matchers: MatcherView[];
  aliases: AliasView[];
  deliveries: DeliveryView[];
}

/** Everything about one integration. People who cannot manage it see it read-only. */
export function IntegrationPage(props: IntegrationPageProps) {
  const { ui, shell, integration, values, matchers, deliveries } = props;
  const { id: projectId, name: projectName } = shell.project;
  const isManager = may(shell, "manage_triggers");
  const { name } = integration;
  const parts = { ui, integration, isManager };
  return (
    <>
      <Title ui={ui} parts={[name, ui.t("sections.integrations"), projectName]} />
      <PageHeader
        title={name}
        above={<Breadcrumb ui={ui} crumbs={[listCrumb(ui, projectId)]} />}
        actions={isManager && (
          <IconLink
            icon="delete"
            label={ui.t("actions.delete_named", { name })}
            href={`${ui.href(paths.integration(projectId, integration.id))}/delete`}
            over
          />
        )}
      />
      {isManager ? <Addresses {...props} /> : <Summary {...props} />}
      <Matchers {...parts} matchers={matchers} />
      <ExtractValues {...parts} values={values} />
      {isManager && <Settings {...props} />}
      {isManager && (
        <Deliveries
          {...{ ui, integration, deliveries }}
          live={`${ui.href(paths.deliveryEvents(projectId, integration.id))}?since=${
            deliveries[0]?.id ?? 0
          }`}
        />
      )}
    </>
  );
}

/** The addresses that start it, with a line to try it, and those of the project. */
const Addresses = ({ ui, integration, aliases }: IntegrationPageProps) => (
  <div class="integration-part">
    <Aliases
      ui={ui}
      projectId={integration.project_id}
      integrationId={integration.id}
      aliases={aliases}
      searchable={integration.searchable}
      example={(url) => curlLine(url, integration)}
    />
    <Switch
      ui={ui}
      integration={integration}
      name="searchable"
      label={ui.t("integrations.searchable")}
      hint={ui.t("integrations.searchable_hint")}
    />
  </div>
);

function Settings({ ui, integration, choices, form }: IntegrationPageProps) {
  const { project_id, id } = integration;
  return (
    <section class="card integration-part max-w-2xl" aria-label={ui.t("integrations.settings")}>
      <Form
        ui={ui}
        form={form}
        action={ui.href(paths.integration(project_id, id))}
        save={ui.t("actions.save")}
        labels={integrationLabels(ui, choices)}
      >
        <IntegrationFields
          ui={ui}
          projectId={project_id}
          form={form}
          choices={choices}
          isNew={false}
        />
      </Form>
    </section>
  );
}

function Summary({ ui, integration, choices }: IntegrationPageProps) {
  const { project_id, template_id, workflow_id, auth_method } = integration;
  const target = workflow_id === null
    ? choices.templates.find(({ id }) => id === template_id)
    : choices.workflows.find(({ id }) => id === workflow_id);
  return (
    <Facts>
      <Fact
        label={ui.t(workflow_id === null ? "integrations.template" : "workflows.kind.workflow")}
      >
        <a href={ui.href(paths.startTarget(project_id, integration))}>{target?.name}</a>
      </Fact>
      <Fact label={ui.t("integrations.auth_method")}>{methodLabel(ui, auth_method)}</Fact>
    </Facts>
  );
}
