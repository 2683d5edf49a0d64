import { LineLink } from "./LineLink.tsx";
import { ResultChip } from "./ResultChip.tsx";
import { taskName } from "./task_name.ts";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { HostResultView, PlayTask } from "@/lib/results/schema.ts";

interface TaskResultsProps {
  ui: Ui;
  address: TaskAddress;
  playTask: PlayTask;
  results: HostResultView[];
}

/** Results of an Ansible task on each host, in the order in which they arrived. */
export const TaskResults = ({ ui, address, playTask, results }: TaskResultsProps) => (
  <Table
    caption={ui.t("timeline.of_task", { name: taskName(playTask) })}
    columns={columnsOf(ui, address)}
    rows={results}
    rowId={({ id }) => `result-${id}`}
  />
);

const columnsOf = (ui: Ui, address: TaskAddress): Column<HostResultView>[] => [
  nameColumn(ui, "results.host", ({ host }) => visible(host), {
    href: ({ id, host_id }) => `${address.href("hosts", { host: host_id, result: id })}#result`,
    stay: address.isInOverlay ? true : "push",
  }),
  stateColumn(ui, "results.state", ({ status }) => <ResultChip ui={ui} status={status} />),
  { label: ui.t("results.message"), kind: "text", cell: ({ message }) => visible(message) },
  {
    label: ui.t("results.duration"),
    class: "result-count",
    cell: ({ duration_ms }) => (
      <span class="whitespace-nowrap">{ui.exactDuration(duration_ms)}</span>
    ),
  },
  {
    label: ui.t("task_log.label"),
    cell: ({ line }) => <LineLink ui={ui} address={address} line={line} />,
  },
];
