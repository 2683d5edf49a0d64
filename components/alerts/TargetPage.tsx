import type { AlertDelivery, TargetTest, TargetView } from "@/lib/alerts/targets/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Count, Name } from "../ui/lists/cells.tsx";
import { nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { kindName, targetName } from "./names.ts";
import { AlertsCrumbs, type AlertsPlace, AlertsTitle } from "./place.tsx";
import { DeliveryState, isIdle, TargetState } from "./TargetState.tsx";
import { NoAddress } from "./NoAddress.tsx";
import { TestResult } from "./TestResult.tsx";

interface TargetPageProps {
  ui: Ui;
  place: AlertsPlace;
  target: TargetView;
  /** Whether a rule sends alerts to it. */
  hasRule: boolean;
  deliveries: AlertDelivery[];
  /** Result of the test message that was just sent. */
  result: TargetTest | null;
}

/** A target with its state, a test message, and the log of its messages. */
export function TargetPage({ ui, place, target, hasRule, deliveries, result }: TargetPageProps) {
  const { kind, host } = target;
  const name = targetName(ui, target);
  const log = ui.t("alert_targets.log");
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={[name]} />
      <PageHeader
        title={<span class="break-words">{name}</span>}
        above={<AlertsCrumbs ui={ui} place={place} />}
        actions={<Actions ui={ui} place={place} target={target} />}
      />
      {result && <TestResult ui={ui} result={result} />}
      {target.paused && <Paused ui={ui} place={place} target={target} />}
      {isIdle(target, hasRule) && <WithoutRule ui={ui} place={place} target={target} />}
      <NoAddress ui={ui} place={place} />
      <Facts class="mb-4">
        <Fact label={ui.t("runners.state.label")}>
          <TargetState ui={ui} target={target} hasRule={hasRule} />
        </Fact>
        <Fact label={ui.t("alert_targets.kind")}>{kindName(ui, kind)}</Fact>
        {host && <Fact label={ui.t("alert_targets.fields.server")}>{host}</Fact>}
      </Facts>
      <section aria-labelledby="log-title">
        <h2 id="log-title">{log}</h2>
        <Table
          caption={log}
          rows={deliveries}
          columns={columnsOf(ui)}
          empty={<p class="text-muted">{ui.t("alert_targets.no_log")}</p>}
        />
      </section>
    </>
  );
}

function Actions({ ui, place, target }: Pick<TargetPageProps, "ui" | "place" | "target">) {
  const at = (part: "/test" | "/edit" | "/delete") =>
    ui.href(paths.alertTarget(place.projectId, target.id, part));
  return (
    <>
      <form method="post" action={at("/test")} class="inline-flex">
        <Button icon="bell">{ui.t("alert_targets.send_test")}</Button>
      </form>
      {!target.from_environment && (
        <>
          <ButtonLink icon="edit" href={at("/edit")} over>{ui.t("alert_targets.edit")}</ButtonLink>
          <ButtonLink kind="danger" icon="delete" href={at("/delete")} over>
            {ui.t("actions.delete")}
          </ButtonLink>
        </>
      )}
    </>
  );
}

/** Says that nothing comes here, and leads to what changes it. */
const WithoutRule = (
  { ui, place, target }: Pick<TargetPageProps, "ui" | "place" | "target">,
) => (
  <Alert kind="warning" title={ui.t("alert_targets.without_rule")} class="mb-4">
    <ButtonLink
      icon="plus"
      href={`${ui.href(paths.alertRule(place.projectId, "new"))}?target=${target.id}`}
      over
    >
      {ui.t("alert_rules.new")}
    </ButtonLink>
  </Alert>
);

function Paused({ ui, place, target }: Pick<TargetPageProps, "ui" | "place" | "target">) {
  const resume = ui.href(paths.alertTarget(place.projectId, target.id, "/resume"));
  return (
    <Alert kind="warning" title={ui.t("alert_targets.paused")} class="mb-4">
      {target.paused_reason && <p>{ui.tell(target.paused_reason)}</p>}
      <form method="post" action={resume} data-stay>
        <Button icon="play">{ui.t("alert_targets.resume")}</Button>
      </form>
    </Alert>
  );
}

const columnsOf = (ui: Ui): Column<AlertDelivery>[] => [
  whenColumn(ui, "deliveries.time", "time", { named: false }),
  nameColumn(ui, "alert_targets.message", ({ title }) => title),
  {
    label: ui.t("alert_targets.event"),
    kind: "text",
    cell: ({ event }) => <Name text={ui.t(`alert_events.${event}`)} />,
  },
  { label: ui.t("alert_targets.to"), kind: "text", cell: ({ to }) => <Name text={to} /> },
  stateColumn(ui, "tasks.status_label", ({ status }) => <DeliveryState ui={ui} status={status} />),
  {
    label: ui.t("alert_targets.attempts"),
    named: true,
    cell: ({ attempts }) => <Count ui={ui} count={attempts} />,
  },
  whenColumn(ui, "alert_targets.next_attempt", "next_attempt"),
  {
    label: ui.t("deliveries.reason"),
    kind: "text",
    cell: ({ reason }) => <Name text={reason && ui.tell(reason)} />,
  },
];
