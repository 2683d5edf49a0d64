import type { TaskAddress } from "@/components/tasks/task_address.ts";
import MatrixGrid from "@/islands/MatrixGrid.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { RESULT_STATUSES } from "@/lib/execution/run/events.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { MatrixOrder } from "@/lib/results/matrix.ts";
import {
  type MatrixData,
  type MatrixTexts,
  type MatrixWindow,
  partOf,
} from "../../lib/client/matrix/data.ts";
import { ResultChip } from "./ResultChip.tsx";

/** Query of a matrix, without its position. */
export type MatrixQuery = Record<string, string | number | string[] | undefined>;

interface MatrixProps {
  ui: Ui;
  address: TaskAddress;
  query: MatrixQuery;
  order: MatrixOrder;
  /** Number of hidden columns, in which nothing changed or failed. */
  folded: number;
  /** The part that the script gets. */
  data: MatrixData;
  /** The part that is shown without a script. */
  page: MatrixWindow;
}

/**
 * Matrix of hosts and Ansible tasks. Without a script the page shows a part of it, with links to
 * others.
 */
export function Matrix(props: MatrixProps) {
  const { ui, address, query, folded, data, page } = props;
  const { all, asRun } = props.order;
  const at = (more: MatrixQuery) => address.href("hosts", { ...query, ...more });
  const isEmpty = data.columns.length === 0 || data.hosts.length === 0;
  return (
    <>
      <p class="matrix-ways">
        {folded > 0 && (
          <span>
            {ui.t("results.folded", { count: folded })}{" "}
            <a href={at({ all: 1 })} aria-current="false" data-stay>{ui.t("results.unfold")}</a>
          </span>
        )}
        {all && (
          <a href={at({ all: undefined })} aria-current="false" data-stay>{ui.t("results.fold")}</a>
        )}
        <a href={at({ order: asRun ? undefined : "run" })} aria-current="false" data-stay>
          {ui.t(asRun ? "results.worst_first" : "results.as_run")}
        </a>
      </p>
      {isEmpty ? <EmptyState icon="success" title={ui.t("results.nothing_to_show")} /> : (
        <>
          <MatrixGrid start={partOf(data, page)} texts={matrixTexts(ui)} />
          <div id="matrix-data" hidden data-matrix={JSON.stringify(data)} />
          <div class="no-script">
            <Ways {...props} at={at} part={partOf(data, page)} />
          </div>
          <div class="matrix-windowed">
            <Ways {...props} at={at} part={data} />
          </div>
          <Legend ui={ui} />
        </>
      )}
    </>
  );
}

/** Links to adjacent parts. Renders nothing if everything is shown. */
function Ways(
  { ui, at, part: { hosts, columns, before, total } }: {
    ui: Ui;
    at: (more: MatrixQuery) => string;
    part: MatrixData;
  },
) {
  const axis = (
    { name, key, first, count, of }: {
      name: "rows" | "columns";
      key: string;
      first: number;
      count: number;
      of: number;
    },
  ) =>
    count < of && (
      <p class="matrix-ways">
        {first > 0 && (
          <ButtonLink href={at({ [name]: Math.max(0, first - count) || undefined })} stays>
            {ui.t(`results.${key}_before`)}
          </ButtonLink>
        )}
        <span>
          {ui.t(`results.${key}_shown`, {
            from: ui.number(first + 1),
            to: ui.number(first + count),
            total: ui.number(of),
          })}
        </span>
        {first + count < of && (
          <ButtonLink href={at({ [name]: first + count })} stays>
            {ui.t(`results.${key}_after`)}
          </ButtonLink>
        )}
      </p>
    );
  return (
    <nav aria-label={ui.t("results.parts")}>
      {axis({
        name: "rows",
        key: "hosts",
        first: before.hosts,
        count: hosts.length,
        of: total.hosts,
      })}
      {axis({
        name: "columns",
        key: "tasks",
        first: before.columns,
        count: columns.length,
        of: total.columns,
      })}
    </nav>
  );
}

const Legend = ({ ui }: { ui: Ui }) => (
  <ul class="matrix-legend" aria-label={ui.t("results.legend")}>
    {RESULT_STATUSES.map((status, n) => (
      <li key={n}>
        <ResultChip ui={ui} status={status} />
      </li>
    ))}
  </ul>
);

const matrixTexts = (ui: Ui): MatrixTexts => ({
  label: ui.t("results.matrix"),
  host: ui.t("results.host"),
  play: ui.t("results.play"),
  role: ui.t("results.role"),
  no_role: ui.t("results.no_role"),
  cell: ui.t("results.cell", { host: "{{host}}", task: "{{task}}", state: "{{state}}" }),
  states: Object.fromEntries(
    [...RESULT_STATUSES, "none"].map((status) => [status, ui.t(`results.status.${status}`)]),
  ) as MatrixTexts["states"],
});
