import { paths } from "../../lib/base/paths.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import type { DeliveryDetails } from "../../lib/triggers/webhooks/schema.ts";
import { Fact, Facts } from "../ui/Facts.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import { Time } from "../ui/Time.tsx";
import { integrationCrumbs } from "./crumbs.ts";
import { ResultChip, StartedLink } from "./Deliveries.tsx";

interface DeliveryPageProps {
  ui: Ui;
  shell: Shell;
  integration: IntegrationView;
  delivery: DeliveryDetails;
}

/** One call, with its body if that was stored. */
export function DeliveryPage({ ui, shell, integration, delivery }: DeliveryPageProps) {
  const title = ui.t("deliveries.call", { id: delivery.id });
  const { body, body_truncated } = delivery;
  return (
    <>
      <Title ui={ui} parts={[title, integration.name, shell.project.name]} />
      <PageHeader
        title={title}
        above={<Breadcrumb ui={ui} crumbs={integrationCrumbs(ui, integration)} />}
      />
      <CallFacts ui={ui} integration={integration} delivery={delivery} />
      <h2>{ui.t("deliveries.body")}</h2>
      {body === null
        ? <p class="text-muted">{ui.t("deliveries.no_body")}</p>
        : <pre tabIndex={0} aria-label={ui.t("deliveries.body")} role="region">{body}</pre>}
      {body_truncated && <p class="text-muted">{ui.t("deliveries.truncated")}</p>}
    </>
  );
}

function CallFacts({ ui, integration, delivery }: Omit<DeliveryPageProps, "shell">) {
  const { created, method, address, user_agent, result, reason, body_bytes } = delivery;
  const page = paths.delivery(integration.project_id, integration.id, delivery.id);
  return (
    <Facts>
      <Fact label={ui.t("deliveries.time")}>
        <Time ui={ui} at={created} />
      </Fact>
      <Fact label={ui.t("deliveries.address")}>{address}</Fact>
      <Fact label={ui.t("deliveries.method")}>{method}</Fact>
      <Fact label={ui.t("deliveries.user_agent")}>{user_agent}</Fact>
      <Fact label={ui.t("deliveries.size")}>
        {ui.bytes(body_bytes)}
      </Fact>
      <Fact label={ui.t("deliveries.result")}>
        <ResultChip ui={ui} result={result} />
      </Fact>
      <Fact label={ui.t("deliveries.reason")}>{reason && ui.tell(reason)}</Fact>
      <Fact label={ui.t("deliveries.task")}>
        <StartedLink {...{ ui, projectId: integration.project_id, page, call: delivery }} />
      </Fact>
    </Facts>
  );
}
