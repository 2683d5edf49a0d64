import type { VNode } from "preact";
import {
  type MatrixData,
  type MatrixTexts,
  type MatrixWindow,
  statusAt,
} from "../../lib/client/matrix/data.ts";
import { RESULT_SIGNS } from "./result_signs.ts";
import { resultId } from "@/lib/results/rows.ts";

interface RowsProps {
  data: MatrixData;
  columns: MatrixWindow["columns"];
  isGrid: boolean;
}

interface CellsProps extends Pick<RowsProps, "data" | "isGrid"> {
  texts: MatrixTexts;
}

type CellMaker = (row: number, column: number) => VNode;

/**
 * Creates cells, and reuses those of the previous part, so that Preact skips cells that are equal.
 * Call `next` before a new part is rendered.
 */
export function cellMaker(props: CellsProps): CellMaker & { next(): void } {
  let [before, made] = [new Map<string, VNode>(), new Map<string, VNode>()];
  const cell = (row: number, column: number) => {
    const at = `${row},${column}`;
    const known = made.get(at) ?? before.get(at) ?? makeCell(props, row, column);
    made.set(at, known);
    return known;
  };
  const next = () => void ([before, made] = [made, new Map()]);
  return Object.assign(cell, { next });
}

/** Creates the rows of one window from its cells, each of them once. */
export function rowMaker(props: RowsProps, cell: CellMaker): (row: number) => VNode {
  const made = new Map<number, VNode>();
  return (row) => {
    const known = made.get(row) ?? makeRow(props, cell, row);
    made.set(row, known);
    return known;
  };
}

function makeRow({ data, columns, isGrid }: RowsProps, cell: CellMaker, row: number): VNode {
  const { id, name } = data.hosts[row];
  const [first, end] = columns;
  const tabIndex = isGrid ? -1 : undefined;
  return (
    <tr key={id} aria-rowindex={data.before.hosts + row + 4}>
      <th scope="row" class="matrix-host" aria-colindex={1}>
        <a
          href={data.host + id}
          title={name}
          tabIndex={tabIndex}
          data-at={`${row},-1`}
          aria-current="false"
          data-stay
        >
          {name}
        </a>
      </th>
      <td class="matrix-gap" aria-hidden="true" />
      {Array.from({ length: end - first }, (_, n) => cell(row, first + n))}
      <td class="matrix-gap" aria-hidden="true" />
    </tr>
  );
}

function makeCell({ data, texts, isGrid }: CellsProps, row: number, column: number): VNode {
  const tabIndex = isGrid ? -1 : undefined;
  const status = statusAt(data, row, column);
  const host = data.hosts[row];
  const task = data.columns[column];
  const parts = { host: host.name, task: task.name, state: texts.states[status ?? "none"] };
  const label = texts.cell.replace(/\{\{(\w+)\}\}/g, (_, part) => parts[part as "host"]);
  const at = `${row},${column}`;
  const id = resultId(task.id, host.id);
  return (
    <td key={task.id} aria-colindex={data.before.columns + column + 2}>
      {status
        ? (
          <a
            id={`cell-${id}`}
            class={`matrix-cell result-${status}`}
            href={`${data.result}${id}#result`}
            aria-label={label}
            tabIndex={tabIndex}
            data-at={at}
            aria-current="false"
            data-stay
          >
            {RESULT_SIGNS[status]}
          </a>
        )
        : (
          <span class="matrix-cell" tabIndex={tabIndex} data-at={at}>
            <span class="sr-only">{label}</span>
          </span>
        )}
    </td>
  );
}
