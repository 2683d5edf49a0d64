import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import type { DeliveryView, Result } from "../../lib/triggers/webhooks/schema.ts";
import { Chip, type ChipStyle } from "../ui/Chip.tsx";
import { Code, Dash, Name } from "../ui/lists/cells.tsx";
import { nameColumn, stateColumn } from "../ui/lists/columns.tsx";
import { type Column, Table, TableRow } from "../ui/lists/Table.tsx";
import { Time } from "../ui/Time.tsx";
import { Part } from "./Part.tsx";
import { Switch } from "./Switch.tsx";

const RESULT_CHIPS: Record<Result, ChipStyle> = {
  started: { icon: "success", tone: "success" },
  skipped: { icon: "waiting", tone: "neutral" },
  not_matched: { icon: "filter", tone: "neutral" },
  unauthorized: { icon: "lock", tone: "warning" },
  failed: { icon: "error", tone: "danger" },
};

/** Result of a call in words, color and icon. */
export const ResultChip = ({ ui, result }: { ui: Ui; result: Result }) => (
  <Chip status={result} {...RESULT_CHIPS[result]}>{ui.t(`deliveries.results.${result}`)}</Chip>
);

const LIST = "deliveries-list";
/** The latest calls; the log drops older ones. */
const DELIVERIES_SHOWN = 100;

const rowId = ({ id }: DeliveryView) => `delivery-${id}`;

interface DeliveryRowProps {
  ui: Ui;
  integration: Pick<IntegrationView, "id" | "project_id">;
  call: DeliveryView;
}

/** One call, as a row that is prepended to a list on the page. */
export const DeliveryRow = ({ ui, integration, call }: DeliveryRowProps) => (
  <TableRow
    row={call}
    rowId={rowId}
    columns={columnsOf(ui, integration)}
    news={{ into: LIST, announcement: ui.t(`deliveries.results.${call.result}`) }}
  />
);

interface DeliveriesProps {
  ui: Ui;
  integration: IntegrationView;
  deliveries: DeliveryView[];
  /** Address of the event stream with calls. */
  live: string;
}

/** The latest calls that reached an integration, and the switch for storing their bodies. */
export function Deliveries({ ui, integration, deliveries, live }: DeliveriesProps) {
  const title = ui.t("deliveries.title");
  return (
    <Part id="deliveries" title={title} about={ui.t("deliveries.about")}>
      <Switch
        ui={ui}
        integration={integration}
        name="keep_bodies"
        label={ui.t("deliveries.keep_bodies")}
        hint={ui.t("deliveries.keep_bodies_hint")}
      />
      <div id="calls" data-live={live}>
        <Table
          caption={title}
          rows={deliveries}
          rowId={rowId}
          columns={columnsOf(ui, integration)}
          live={{ id: LIST, limit: DELIVERIES_SHOWN }}
          empty={<p>{ui.t("deliveries.empty")}</p>}
        />
      </div>
    </Part>
  );
}

interface StartedLinkProps {
  ui: Ui;
  projectId: number;
  /** The page over which a task opens. */
  page: string;
  call: Pick<DeliveryView, "task_id" | "run_id" | "workflow_id">;
}

/** Link to the task or the run that a call started. */
export function StartedLink({ ui, projectId, page, call }: StartedLinkProps) {
  const { task_id, run_id, workflow_id } = call;
  if (task_id !== null) return <a href={ui.href(paths.over(page, task_id))}>{`#${task_id}`}</a>;
  if (run_id === null || workflow_id === null) return <Dash />;
  return (
    <a href={ui.href(paths.workflowRun(projectId, workflow_id, run_id))}>
      {ui.t("workflows.run_title", { id: run_id })}
    </a>
  );
}

function columnsOf(
  ui: Ui,
  { project_id, id }: DeliveryRowProps["integration"],
): Column<DeliveryView>[] {
  const page = paths.integration(project_id, id);
  return [
    nameColumn(
      ui,
      "deliveries.time",
      (call) => (
        <a href={ui.href(paths.delivery(project_id, id, call.id))}>
          <Time ui={ui} at={call.created} />
        </a>
      ),
    ),
    {
      label: ui.t("deliveries.address"),
      kind: "text",
      cell: ({ address }) => <Code text={address} />,
    },
    stateColumn(ui, "deliveries.result", ({ result }) => <ResultChip ui={ui} result={result} />),
    {
      label: ui.t("deliveries.reason"),
      kind: "text",
      cell: ({ reason }) => <Name text={reason && ui.tell(reason)} />,
    },
    {
      label: ui.t("deliveries.task"),
      cell: (call) => <StartedLink {...{ ui, projectId: project_id, page, call }} />,
    },
    {
      label: ui.t("deliveries.body"),
      cell: ({ has_body, body_bytes, id: callId }) =>
        has_body
          ? (
            <a href={ui.href(paths.delivery(project_id, id, callId))}>
              {ui.bytes(body_bytes)}
            </a>
          )
          : <span class="text-muted">{ui.bytes(body_bytes)}</span>,
    },
  ];
}
