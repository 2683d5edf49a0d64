import { Matrix, type MatrixQuery } from "@/components/results/Matrix.tsx";
import type { MatrixData, MatrixWindow } from "@/lib/client/matrix/data.ts";
import { matrixColumns } from "@/lib/results/matrix.ts";
import type { RunHost } from "@/lib/results/schema.ts";
import { listRunPlays, readRunMatrix } from "@/lib/results/service.ts";
import { shownResult } from "./host.tsx";
import { numberAsked, type TabAsked } from "./tab.ts";

/** Size of a page without script, and of a block that the script loads. */
const PAGE = { rows: 50, columns: 40 };
const BLOCK = { rows: 500, columns: 200 };

/** Shows the results on these hosts by Ansible task. */
export async function showMatrix(asked: TabAsked, hosts: RunHost[], filter: MatrixQuery) {
  const { state: { ui, scope }, task, address, which } = asked;
  const order = {
    all: address.asked.has("all"),
    asRun: address.asked.get("order") === "run",
  };
  const plays = await listRunPlays(scope, task.id, which);
  const { columns, folded } = matrixColumns(plays, order);
  const [row, column] = [
    placeOf(numberAsked(asked, "rows"), hosts.length),
    placeOf(numberAsked(asked, "columns"), columns.length),
  ];
  const before = {
    hosts: row - row % BLOCK.rows,
    columns: column - column % BLOCK.columns,
  };
  const shown = {
    hosts: hosts.slice(before.hosts, before.hosts + BLOCK.rows),
    columns: columns.slice(before.columns, before.columns + BLOCK.columns),
  };
  const states = await readRunMatrix(scope, task.id, {
    ...which,
    hosts: shown.hosts.map(({ id }) => id),
    playTasks: shown.columns.map(({ id }) => id),
  });
  const query: MatrixQuery = {
    view: "matrix",
    ...filter,
    all: order.all ? 1 : undefined,
    order: order.asRun ? "run" : undefined,
    rows: row || undefined,
    columns: column || undefined,
  };
  const data: MatrixData = {
    hosts: shown.hosts.map(({ id, name }) => ({ id, name })),
    columns: shown.columns,
    states,
    total: { hosts: hosts.length, columns: columns.length },
    before,
    host: address.href("hosts", { host: "" }),
    result: address.href("hosts", { ...query, result: "" }),
  };
  const page: MatrixWindow = {
    rows: spanOf(row - before.hosts, PAGE.rows, data.hosts.length),
    columns: spanOf(column - before.columns, PAGE.columns, data.columns.length),
  };
  return (
    <>
      {await shownResult(asked, query, (id) => `cell-${id}`)}
      <Matrix {...{ ui, address, query, order, folded, data, page }} />
    </>
  );
}

const placeOf = (asked = 0, count: number): number => asked < count ? asked : 0;

const spanOf = (first: number, size: number, count: number): [number, number] => [
  first,
  Math.min(first + size, count),
];
