import type { FeedView } from "@/lib/alerts/feed/schema.ts";
import type { RuleView } from "@/lib/alerts/rules/schema.ts";
import type { AlertDelivery, TargetView } from "@/lib/alerts/targets/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { ChangeLinks } from "../ui/lists/ChangeLinks.tsx";
import { actionsColumn, changeColumn, nameColumn, stateColumn } from "../ui/lists/columns.tsx";
import { Chip } from "../ui/Chip.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { Time } from "../ui/Time.tsx";
import { kindName, settingsTargetName, targetName } from "./names.ts";
import { type AlertsPlace, AlertsTitle } from "./place.tsx";
import { FeedSection } from "./FeedSection.tsx";
import { DeliveryState, TargetState } from "./TargetState.tsx";

interface AlertsPageProps {
  ui: Ui;
  place: AlertsPlace;
  targets: TargetView[];
  /** The latest message of each target that has received any. */
  latest: ReadonlyMap<number, AlertDelivery>;
  rules: RuleView[];
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
      <Targets {...props} />
      <Rules {...props} />
      {props.feed && <FeedSection {...props} {...props.feed} />}
    </>
  );
}

function Targets({ ui, place: { projectId }, targets, latest }: AlertsPageProps) {
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
        columns={targetColumns(ui, projectId, latest)}
        empty={
          <EmptyState icon="bell" title={ui.t("alert_targets.empty")}>
            <p>{ui.t("alert_targets.about")}</p>
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
): Column<TargetView>[] => [
  nameColumn(ui, "resources.name", (target) => targetName(ui, target), {
    href: ({ id }) => ui.href(paths.alertTarget(projectId, id)),
  }),
  {
    label: ui.t("alert_targets.kind"),
    cell: ({ kind }) => kindName(ui, kind),
  },
  stateColumn(ui, "runners.state.label", (target) => <TargetState ui={ui} target={target} />),
  {
    label: ui.t("alert_targets.latest"),
    named: true,
    cell: ({ id }) => {
      const message = latest.get(id);
      return message
        ? (
          <span class="latest-delivery">
            <Time ui={ui} at={message.time} />
            <DeliveryState ui={ui} status={message.status} />
          </span>
        )
        : <Dash />;
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
  const add = targets.length > 0 && (
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
            {add && <p class="m-0">{add}</p>}
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
    nameColumn(ui, "resources.name", ({ name }) => name, ways),
    {
      label: ui.t("alert_rules.events"),
      kind: "text",
      cell: ({ events }) => ui.list(events.map((event) => ui.t(`alert_events.${event}`))),
    },
    {
      label: ui.t("alert_rules.target"),
      kind: "text",
      cell: ({ target_id }) => {
        const target = targets.find(({ id }) => id === target_id);
        return target ? targetName(ui, target) : settingsTargetName(ui, target_id);
      },
    },
    {
      label: ui.t("alert_rules.subjects"),
      kind: "text",
      cell: (rule) => subjectsText(ui, rule),
    },
    stateColumn(ui, "runners.state.label", ({ active }) => (
      <Chip
        status={active ? "active" : "inactive"}
        icon={active ? "success" : "skipped"}
        tone={active ? "success" : "neutral"}
      >
        {ui.t(`alert_targets.states.${active ? "active" : "inactive"}`)}
      </Chip>
    )),
    changeColumn(ui, ways),
  ];
};

/** Returns a few words about the things that a rule is for. */
function subjectsText(ui: Ui, rule: RuleView): string {
  const counted = (label: string, ids: number[]) =>
    ids.length > 0 ? [ui.labelled(ui.t(label), ui.number(ids.length))] : [];
  const parts = [
    ...counted("runners.projects", rule.project_ids),
    ...counted("sections.templates", rule.template_ids),
    ...counted("alert_rules.views", rule.view_ids),
    ...counted("sections.workflows", rule.workflow_ids),
    ...rule.hosts,
  ];
  return parts.length > 0 ? ui.list(parts) : ui.t("alert_rules.everything");
}
