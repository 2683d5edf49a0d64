import { ChoiceBox } from "./ChoiceBar.tsx";
import { DriftState } from "./DriftState.tsx";
import { LatestTask } from "@/components/tasks/LatestTask.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Reason } from "@/components/ui/Reason.tsx";
import { Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { HostDrift } from "@/lib/drift/schema.ts";
import type { DriftOrder } from "@/lib/drift/state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { VNode } from "preact";

interface DriftTableProps {
  ui: Ui;
  projectId: number;
  rows: HostDrift[];
  /** Complete address of the page, for a task in an overlay. */
  here: string;
  /** Columns that would have one value. */
  without?: "host" | "template";
  /** The order of the rows, and the address of another one; without it, they are not sorted. */
  sorted?: { by: DriftOrder; hrefOf(order: DriftOrder): string };
  /** Whether hosts can be chosen. */
  mayFix?: boolean;
  empty?: VNode;
}

/** States of hosts for templates. */
export const DriftTable = ({ ui, rows, empty, ...props }: DriftTableProps) => (
  <Table
    caption={ui.t("drift.list")}
    rows={rows}
    rowId={({ host, template_id }) => `drift-${template_id}-${host}`}
    columns={columnsOf({ ui, ...props })}
    empty={empty}
  />
);

function columnsOf(
  { ui, projectId, here, without, mayFix, sorted }: Omit<DriftTableProps, "rows" | "empty">,
): Column<HostDrift>[] {
  const sortBy = (order: DriftOrder) =>
    sorted && {
      href: sorted.hrefOf(order),
      ...sorted.by === order && { order: "ascending" as const },
    };
  const template = nameColumn<HostDrift>(
    ui,
    "schedules.template",
    ({ template_name }) => template_name,
    {
      kind: without === "host" ? "main" : "text",
      href: ({ template_id }) => ui.href(paths.templateDrift(projectId, template_id)),
    },
  );
  return [
    ...mayFix ? [choiceColumn(ui)] : [],
    ...without === "host" ? [template] : [
      nameColumn<HostDrift>(ui, "hosts.host", ({ host }) => visible(host), {
        href: ({ host }) => ui.href(paths.host(projectId, host)),
        sort: sortBy("host"),
      }),
      ...without === "template" ? [] : [template],
    ],
    stateColumn(
      ui,
      "drift.state",
      ({ state, accepted }) => <DriftState ui={ui} state={accepted ? "accepted" : state} />,
      { sort: sortBy("worst") },
    ),
    // The page of a project has both other columns, and says first what differs.
    ...without
      ? [{
        label: ui.t("drift.changes"),
        named: true,
        cell: ({ changes }: HostDrift) => changes > 0 ? ui.number(changes) : <Dash />,
      }]
      : [],
    {
      label: ui.t("drift.since"),
      named: true,
      cell: ({ since, last_described }) => (
        <span
          title={last_described === null
            ? undefined
            : ui.t("drift.described_until", { time: ui.exact(last_described) })}
        >
          <Time ui={ui} at={since} />
        </span>
      ),
    },
    {
      label: ui.t("drift.checked"),
      named: true,
      cell: ({ task_id, checked }) => <LatestTask ui={ui} page={here} id={task_id} at={checked} />,
    },
    {
      label: ui.t("drift.remarks"),
      kind: "text",
      cell: (row) => <Remarks ui={ui} projectId={projectId} row={row} />,
    },
  ];
}

/** A box that chooses a host that differs. */
const choiceColumn = (ui: Ui): Column<HostDrift> => ({
  label: ui.t("drift.choose"),
  heading: " ",
  cell: ({ host, state, template_id }) =>
    state === "would_change" && (
      <ChoiceBox ui={ui} kind="choice" template={template_id} name={host} />
    ),
});

/** An acceptance, the number of Ansible tasks that were not checked, and the reason for that. */
function Remarks({ ui, projectId, row }: { ui: Ui; projectId: number; row: HostDrift }) {
  const { accepted, unchecked, reason, task_id } = row;
  if (accepted) {
    const { until, note } = accepted;
    const text = ui.t("drift.accepted_until", { time: ui.exact(until), note });
    return <span class="clamp text-muted" title={text}>{text}</span>;
  }
  if (!reason) return <Dash />;
  // The same Ansible task has no check mode on many hosts, so the page says once why.
  const shown = unchecked > 0
    ? { ...reason, step: "", place: null, message: uncheckedText(ui, unchecked) }
    : reason;
  const output = ui.href(paths.taskPage(projectId, task_id));
  return (
    <Reason
      ui={ui}
      reason={{ ...shown, subject: "" }}
      output={output}
      over
      brief
      class="clamp text-muted"
    />
  );
}

const uncheckedText = (ui: Ui, unchecked: number): string =>
  ui.t("drift.unchecked", { number: ui.number(unchecked) });

/** Explains each Ansible task without check mode once, for all hosts on which it was left out. */
export function UncheckedTasks(
  { ui, projectId, rows }: Pick<DriftTableProps, "ui" | "projectId" | "rows">,
) {
  const found = Map.groupBy(
    rows.filter(({ unchecked, reason }) => unchecked > 0 && reason),
    ({ reason }) => `${reason!.place?.file}:${reason!.place?.line}:${reason!.step}`,
  );
  return [...found.values()].map(([{ task_id, reason }, ...others], n) => (
    <Alert key={n} class="mb-4" title={ui.t("drift.states.unknown")}>
      <Reason
        ui={ui}
        reason={{ ...reason!, more: others.length }}
        subject={ui.href(paths.host(projectId, reason!.subject))}
        output={ui.href(paths.taskPage(projectId, task_id))}
        over
      />
    </Alert>
  ));
}
