import { ResultChip } from "./ResultChip.tsx";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { RECAP_COUNTS } from "@/lib/execution/run/events.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RunHost } from "@/lib/results/schema.ts";

interface HostTableProps {
  ui: Ui;
  address: TaskAddress;
  hosts: RunHost[];
}

/** Result of a task on each host: Ansible's recap. */
export const HostTable = ({ ui, address, hosts }: HostTableProps) => (
  <Table
    caption={ui.t("results.hosts")}
    columns={columnsOf(ui, address)}
    rows={hosts}
    rowId={({ id }) => `host-${id}`}
  />
);

const columnsOf = (ui: Ui, address: TaskAddress): Column<RunHost>[] => [
  nameColumn(ui, "results.host", ({ name }) => visible(name), {
    href: ({ id }) => address.href("hosts", { host: id }),
    stay: address.isInOverlay ? true : "push",
  }),
  stateColumn(ui, "results.state", ({ status }) => <ResultChip ui={ui} status={status} />),
  ...RECAP_COUNTS.map((name): Column<RunHost> => ({
    label: ui.t(`results.status.${name}`),
    class: "result-count",
    named: true,
    cell: (host) => <Count ui={ui} count={host[name]} />,
  })),
  {
    label: ui.t("results.duration"),
    cell: ({ duration_ms }) => (
      <span class="whitespace-nowrap">{ui.exactDuration(duration_ms)}</span>
    ),
  },
];

/** A count of zero has the class `dash`, so that cards omit it. */
const Count = ({ ui, count }: { ui: Ui; count: number }) => (
  <span class={count === 0 ? "dash text-muted" : undefined}>
    {ui.number(count)}
  </span>
);
