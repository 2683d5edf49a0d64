import { useLayoutEffect, useMemo, useRef } from "react";
import { groupsOf, type MatrixTexts } from "../../lib/client/matrix/data.ts";
import {
  CELL_PX,
  columnPx,
  HOST_PX,
  isWide,
  type MatrixStore,
} from "../../lib/client/matrix/matrix.ts";
import { cellMaker, rowMaker } from "./MatrixRow.tsx";

/** Header rows above the hosts: plays, roles, tasks. */
const HEAD_ROWS = 3;

interface MatrixTableProps {
  matrix: MatrixStore;
  texts: MatrixTexts;
  /** Called after each rendering. */
  onDrawn(): void;
}

/**
 * Matrix of hosts and Ansible tasks. Each cell links to its result. Gaps stand for cells that are
 * not rendered.
 */
export function MatrixTable({ matrix, texts, onDrawn }: MatrixTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const [data, isGrid] = [matrix.data.value, matrix.isGrid.value];
  const [rows, columns] = [matrix.rows.value, matrix.columns.value];
  const cell = useMemo(() => cellMaker({ data, texts, isGrid }), [data, isGrid]);
  const rowOf = useMemo(() => {
    cell.next();
    return rowMaker({ data, columns, isGrid }, cell);
  }, [cell, columns]);

  useLayoutEffect(() => {
    if (isGrid) sizeGaps(table.current!, matrix);
  }, [isGrid, data, rows, columns]);
  useLayoutEffect(onDrawn);

  return (
    <table
      class={isWide(data) ? "matrix matrix-wide" : "matrix"}
      ref={table}
      role={isGrid ? "grid" : undefined}
      aria-rowcount={data.total.hosts + HEAD_ROWS}
      aria-colcount={data.total.columns + 1}
    >
      <caption class="sr-only">{texts.label}</caption>
      {isGrid && (
        <colgroup>
          <col />
          <col data-gap="left" />
          <col span={columns[1] - columns[0]} />
          <col data-gap="right" />
        </colgroup>
      )}
      <MatrixHead matrix={matrix} texts={texts} />
      <tbody>
        {isGrid && gapRow("above")}
        {Array.from({ length: rows[1] - rows[0] }, (_, n) => rowOf(rows[0] + n))}
        {isGrid && gapRow("below")}
      </tbody>
    </table>
  );
}

/** Makes gaps as large as what they stand for. */
function sizeGaps(table: HTMLTableElement, { data, rows, columns }: MatrixStore): void {
  const { hosts, columns: all } = data.value;
  const px = (count: number, one = columnPx(data.value)) => `${count * one}px`;
  const gap = (side: string) => table.querySelector<HTMLElement>(`[data-gap=${side}]`)!;
  // Set by script, because the page's policy allows no style attributes.
  table.style.width = `${HOST_PX + all.length * columnPx(data.value)}px`;
  gap("left").style.width = px(columns.value[0]);
  gap("right").style.width = px(all.length - columns.value[1]);
  gap("above").style.height = px(rows.value[0], CELL_PX);
  gap("below").style.height = px(hosts.length - rows.value[1], CELL_PX);
}

/** The headings of the rendered columns. It is not rendered again for other rows. */
function MatrixHead({ matrix, texts }: Pick<MatrixTableProps, "matrix" | "texts">) {
  const data = matrix.data.value;
  const span = matrix.columns.value;
  const columns = data.columns.slice(...span);
  const indexOf = (n: number) => data.before.columns + span[0] + n + 2;
  const group = (label: string, nameOf: Parameters<typeof groupsOf>[1], index: number) => (
    <tr aria-rowindex={index}>
      <th scope="row" class="matrix-corner">{label}</th>
      {gapCell()}
      {groupsOf(columns, nameOf).map(({ name, count }, n) => (
        <th key={n} scope="colgroup" colSpan={count} class="matrix-group" title={name}>
          <span>{name}</span>
        </th>
      ))}
      {gapCell()}
    </tr>
  );
  return (
    <thead>
      {group(texts.play, ({ play }) => play, 1)}
      {group(texts.role, ({ role }) => role || texts.no_role, 2)}
      <tr aria-rowindex={HEAD_ROWS}>
        <th scope="col" class="matrix-corner">{texts.host}</th>
        {gapCell()}
        {columns.map(({ id, name }, n) => (
          <th key={id} scope="col" class="matrix-task" aria-colindex={indexOf(n)} title={name}>
            <span>{name}</span>
          </th>
        ))}
        {gapCell()}
      </tr>
    </thead>
  );
}

/** As high as the rows that are not rendered. */
const gapRow = (side: "above" | "below") => (
  <tr class="matrix-gap" aria-hidden="true" data-gap={side} />
);

/** As wide as the columns that are not rendered. */
const gapCell = () => <td class="matrix-gap" aria-hidden="true" />;
