import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { nameColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RunHost } from "@/lib/results/schema.ts";

interface ChangedHostsProps {
  ui: Ui;
  address: TaskAddress;
  hosts: RunHost[];
}

/** Hosts that a task has changed, with the number of changes. */
export const ChangedHosts = ({ ui, address, hosts }: ChangedHostsProps) => (
  <Table
    caption={ui.t("changes.hosts")}
    columns={columnsOf(ui, address)}
    rows={hosts}
    rowId={({ id }) => `changed-host-${id}`}
  />
);

const columnsOf = (ui: Ui, address: TaskAddress): Column<RunHost>[] => [
  nameColumn(ui, "results.host", ({ name }) => visible(name), {
    href: ({ id }) => address.href("changes", { by: "host", host: id }),
    stay: true,
  }),
  {
    label: ui.t("task_tabs.changes"),
    class: "result-count",
    named: true,
    cell: ({ changed }) => ui.number(changed),
  },
];
