import { RecapCounts } from "./RecapCounts.tsx";
import { ResultChip } from "./ResultChip.tsx";
import { OUTPUT, type TaskAddress } from "@/components/tasks/task_address.ts";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { Reason } from "@/components/ui/Reason.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { ListedHost } from "@/lib/results/schema.ts";

interface HostTableProps {
  ui: Ui;
  address: TaskAddress;
  hosts: ListedHost[];
}

/** Result of a task on each host: Ansible's recap. */
export const HostTable = ({ hosts, ...props }: HostTableProps) => (
  <Table
    caption={props.ui.t("results.hosts")}
    columns={columnsOf(props)}
    rows={hosts}
    rowId={({ id }) => `host-${id}`}
  />
);

const columnsOf = (
  { ui, address }: Omit<HostTableProps, "hosts">,
): Column<ListedHost>[] => [
  nameColumn(ui, "results.host", ({ name }) => visible(name), {
    href: ({ id }) => address.href("hosts", { host: id }),
    stay: address.isInOverlay ? true : "push",
  }),
  stateColumn(ui, "results.state", ({ status }) => <ResultChip ui={ui} status={status} />),
  {
    label: ui.t("results.message"),
    kind: "text",
    cell: ({ reason }) =>
      reason
        ? (
          <Reason
            {...{ ui, reason }}
            output={address.href(OUTPUT)}
            over={address.isInOverlay}
            brief
            class="clamp text-danger"
          />
        )
        : <Dash />,
  },
  {
    label: ui.t("hosts.counts"),
    kind: "text",
    cell: (host) => <RecapCounts ui={ui} recap={host} />,
  },
  {
    label: ui.t("results.duration"),
    cell: ({ duration_ms }) => (
      <span class="whitespace-nowrap">{ui.exactDuration(duration_ms)}</span>
    ),
  },
];
