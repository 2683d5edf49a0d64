import type { FeedView } from "@/lib/alerts/feed/schema.ts";
import type { RuleView } from "@/lib/alerts/rules/schema.ts";
import type { AlertDelivery, TargetView } from "@/lib/alerts/targets/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import { plainReason } from "@/lib/base/reason.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { ChangeLinks } from "../ui/lists/ChangeLinks.tsx";
import { actionsColumn, changeColumn, nameColumn, stateColumn } from "../ui/lists/columns.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { briefLook, Reason } from "../ui/Reason.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { Time } from "../ui/Time.tsx";
import { kindName, settingsTargetName, targetName } from "./names.ts";
import { type AlertsPlace, AlertsTitle } from "./place.tsx";
import { DefaultAlerts } from "./DefaultAlerts.tsx";
import { FeedSection } from "./FeedSection.tsx";
import { NoAddress } from "./NoAddress.tsx";
import { ActiveState, DeliveryState, isIdle, TargetState } from "./TargetState.tsx";

interface AlertsPageProps {
  ui: Ui;
  place: AlertsPlace;
  targets: TargetView[];
  /** The latest message of each target that has received any. */
  latest: ReadonlyMap<number, AlertDelivery>;
  rules: RuleView[];
  /** Ids of the targets that rules send alerts to. */
  used: ReadonlySet<number>;
  /** The feed of a project; null for the server. */
  feed: FeedView | null;
  /** The address that the feed was just given. Only this page shows it. */
  address: string | null;
}

/** The targets and rules of a project or of the server. */
export function AlertsPage(props: AlertsPageProps) {
  const { ui, place } = props;
  return (
    <>
      <AlertsTitle ui={ui} place={place} />
      <PageHeader title={ui.t("sections.alerts")} />
      <NoAddress ui={ui} place={place} />
      <Targets {...props} />
      {props.targets.length + props.rules.length > 0 && <Rules {...props} />}
      {place.projectId !== null && <DefaultAlerts ui={ui} place={place} />}
      {props.feed && <FeedSection {...props} {...props.feed} />}
    </>
  );
}

function Targets({ ui, place: { projectId }, targets, latest, used }: AlertsPageProps) {
  const title = ui.t("alert_targets.title");
  const add = (
    <ButtonLink kind="primary" icon="plus" href={ui.href(paths.alertTarget(projectId, "new"))} over>
      {ui.t("alert_targets.new")}
    </ButtonLink>
  );
  return (
    <section aria-labelledby="targets-title" class="mb-8">
      <header class="page-header">
        <h2 id="targets-title">{title}</h2>
        {targets.length > 0 && <div class="page-actions">{add}</div>}
      </header>
      <Table
        caption={title}
        rows={targets}
        rowId={({ id }) => `target-${id}`}
        columns={targetColumns(ui, projectId, latest, used)}
        empty={
          <EmptyState icon="bell" title={ui.t("alert_targets.empty")}>
            <p>{ui.t("alert_targets.about")} {ui.t("alert_targets.next")}</p>
            <p class="m-0">{add}</p>
          </EmptyState>
        }
      />
    </section>
  );
}

const targetColumns = (
  ui: Ui,
  projectId: number | null,
  latest: AlertsPageProps["latest"],
  used: AlertsPageProps["used"],
): Column<TargetView>[] => [
  nameColumn(ui, "resources.name", (target) => targetName(ui, target), {
    href: ({ id }) => ui.href(paths.alertTarget(projectId, id)),
  }),
  {
    label: ui.t("alert_targets.kind"),
    cell: ({ kind }) => kindName(ui, kind),
  },
  stateColumn(ui, "runners.state.label", (target) => {
    const hasRule = used.has(target.id);
    const rule = `${ui.href(paths.alertRule(projectId, "new"))}?target=${target.id}`;
    return (
      <span class="latest-delivery">
        <TargetState ui={ui} target={target} hasRule={hasRule} />
        {isIdle(target, hasRule) && <a href={rule} data-over>{ui.t("alert_rules.new")}</a>}
      </span>
    );
  }),
  {
    label: ui.t("alert_targets.latest"),
    kind: "text",
    cell: ({ id, paused_reason }) => {
      const message = latest.get(id);
      const reason = paused_reason ?? message?.reason;
      return (
        <>
          {message
            ? (
              <span class="latest-delivery">
                <Time ui={ui} at={message.time} />
                <DeliveryState ui={ui} status={message.status} />
              </span>
            )
            : <Dash />}
          {reason && <Reason ui={ui} reason={plainReason(reason)} brief class={briefLook(false)} />}
        </>
      );
    },
  },
  actionsColumn(ui, ({ id, name, from_environment }) =>
    !from_environment && (
      <ChangeLinks
        ui={ui}
        name={name}
        remove={ui.href(paths.alertTarget(projectId, id, "/delete"))}
        edit={ui.href(paths.alertTarget(projectId, id, "/edit"))}
        over
      />
    )),
];

function Rules({ ui, place: { projectId, alert }, targets, rules }: AlertsPageProps) {
  const title = ui.t("alert_rules.title");
  const about = projectId === null ? "about_server" : alert ? "about" : "about_disabled";
  const add = (
    <ButtonLink kind="primary" icon="plus" href={ui.href(paths.alertRule(projectId, "new"))} over>
      {ui.t("alert_rules.new")}
    </ButtonLink>
  );
  return (
    <section aria-labelledby="rules-title" class="mb-8">
      <header class="page-header">
        <h2 id="rules-title">{title}</h2>
        {rules.length > 0 && <div class="page-actions">{add}</div>}
      </header>
      <Table
        caption={title}
        rows={rules}
        rowId={({ id }) => `rule-${id}`}
        columns={ruleColumns(ui, projectId, targets)}
        empty={
          <EmptyState icon="filter" title={ui.t("alert_rules.empty")}>
            <p>{ui.t(`alert_rules.${about}`)}</p>
            <p class="m-0">{add}</p>
          </EmptyState>
        }
      />
    </section>
  );
}

const ruleColumns = (
  ui: Ui,
  projectId: number | null,
  targets: TargetView[],
): Column<RuleView>[] => {
  const ways = {
    href: ({ id }: RuleView) => ui.href(paths.alertRule(projectId, id)),
    over: true,
  };
  return [
    nameColumn(
      ui,
      "alert_rules.rule",
      (rule) => (
        <a class="name-link" href={ways.href(rule)} data-over>{ruleSentence(ui, rule, targets)}</a>
      ),
    ),
    { label: ui.t("resources.name"), kind: "text", cell: ({ name }) => name },
    stateColumn(ui, "runners.state.label", ({ active }) => <ActiveState ui={ui} active={active} />),
    changeColumn(ui, ways),
  ];
};

/** Returns a rule as a sentence, such as "Send failures of everything to On call". */
function ruleSentence(ui: Ui, rule: RuleView, targets: TargetView[]): string {
  const target = targets.find(({ id }) => id === rule.target_id);
  const params = {
    events: ui.series(rule.events.map((event) => ui.t(`alert_rules.nouns.${event}`))),
    target: target ? targetName(ui, target) : settingsTargetName(ui, rule.target_id),
  };
  const counted = (label: string, ids: number[]) =>
    ids.length > 0 ? [ui.labelled(ui.t(label), ui.number(ids.length))] : [];
  const subjects = [
    ...counted("runners.projects", rule.project_ids),
    ...counted("sections.templates", rule.template_ids),
    ...counted("alert_rules.views", rule.view_ids),
    ...counted("sections.workflows", rule.workflow_ids),
    ...rule.hosts,
  ];
  return subjects.length === 0
    ? ui.t("alert_rules.sentence", params)
    : ui.t("alert_rules.sentence_for", { ...params, subjects: ui.list(subjects) });
}
