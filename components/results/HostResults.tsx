import { LineLink } from "./LineLink.tsx";
import { ResultChip } from "./ResultChip.tsx";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { NameLink } from "@/components/ui/lists/cells.tsx";
import { nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { HostResultView } from "@/lib/results/schema.ts";

interface HostResultsProps {
  ui: Ui;
  address: TaskAddress;
  host: string;
  results: HostResultView[];
  /** Address that shows a result beside them. */
  hrefOf(result: HostResultView): string;
}

/** Results of one host, in the order of the task. */
export const HostResults = ({ results, ...props }: HostResultsProps) => (
  <Table
    caption={props.ui.t("results.of_host", { host: props.host })}
    columns={columnsOf(props)}
    rows={results}
    rowId={({ id }) => `result-${id}`}
  />
);

const columnsOf = (
  { ui, address, hrefOf }: Omit<HostResultsProps, "results">,
): Column<HostResultView>[] => [
  nameColumn(ui, "results.play_task", (result) => (
    <NameLink
      id={`open-${result.id}`}
      text={visible(result.play_task)}
      href={hrefOf(result)}
      stay
    />
  )),
  stateColumn(ui, "results.state", ({ status }) => <ResultChip ui={ui} status={status} />),
  { label: ui.t("results.message"), kind: "text", cell: ({ message }) => visible(message) },
  {
    label: ui.t("results.duration"),
    cell: ({ duration_ms }) => (
      <span class="whitespace-nowrap">{ui.exactDuration(duration_ms)}</span>
    ),
  },
  {
    label: ui.t("task_log.label"),
    cell: ({ line }) => <LineLink ui={ui} address={address} line={line} />,
  },
];
