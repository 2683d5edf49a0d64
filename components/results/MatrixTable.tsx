import type { Ref, VNode } from "preact";
import {
  groupsOf,
  type MatrixData,
  type MatrixTexts,
  type MatrixWindow,
} from "../../lib/client/matrix/data.ts";
import { cellMaker, rowMaker } from "./MatrixRow.tsx";

/** Header rows above the hosts: plays, roles, tasks. */
const HEAD_ROWS = 3;

interface MatrixTableProps {
  data: MatrixData;
  window: MatrixWindow;
  texts: MatrixTexts;
  /** Whether a script moves the focus. Then one cell is a tab stop instead of each. */
  isGrid?: boolean;
  /** Creates and caches rows. */
  rowOf?: (row: number) => VNode;
  table?: Ref<HTMLTableElement>;
}

/**
 * Matrix of hosts and Ansible tasks. Each cell links to its result. Gaps stand for cells outside
 * the window.
 */
export function MatrixTable(
  { data, window, texts, isGrid = false, rowOf, table }: MatrixTableProps,
) {
  const { rows: [first, end] } = window;
  const makeRow = rowOf ?? rowsOf(data, window, texts);
  return (
    <table
      class="matrix"
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
          <col span={window.columns[1] - window.columns[0]} />
          <col data-gap="right" />
        </colgroup>
      )}
      <MatrixHead data={data} window={window} texts={texts} />
      <tbody>
        {isGrid && <GapRow side="above" />}
        {Array.from({ length: end - first }, (_, n) => makeRow(first + n))}
        {isGrid && <GapRow side="below" />}
      </tbody>
    </table>
  );
}

function rowsOf(data: MatrixData, window: MatrixWindow, texts: MatrixTexts) {
  return rowMaker({ data, window, isGrid: false }, cellMaker({ data, texts, isGrid: false }));
}

type HeadProps = Pick<MatrixTableProps, "data" | "window" | "texts">;

function MatrixHead({ data, window, texts }: HeadProps) {
  const columns = data.columns.slice(...window.columns);
  const indexOf = (n: number) => data.before.columns + window.columns[0] + n + 2;
  const group = (label: string, nameOf: Parameters<typeof groupsOf>[1], index: number) => (
    <tr aria-rowindex={index}>
      <th scope="row" class="matrix-corner">{label}</th>
      <Gap />
      {groupsOf(columns, nameOf).map(({ name, count }, n) => (
        <th key={n} scope="colgroup" colSpan={count} class="matrix-group" title={name}>
          <span>{name}</span>
        </th>
      ))}
      <Gap />
    </tr>
  );
  return (
    <thead>
      {group(texts.play, ({ play }) => play, 1)}
      {group(texts.role, ({ role }) => role || texts.no_role, 2)}
      <tr aria-rowindex={HEAD_ROWS}>
        <th scope="col" class="matrix-corner">{texts.host}</th>
        <Gap />
        {columns.map(({ id, name }, n) => (
          <th key={id} scope="col" class="matrix-task" aria-colindex={indexOf(n)} title={name}>
            <span>{name}</span>
          </th>
        ))}
        <Gap />
      </tr>
    </thead>
  );
}

/** As high as the rows that are not rendered. */
const GapRow = ({ side }: { side: "above" | "below" }) => (
  <tr class="matrix-gap" aria-hidden="true" data-gap={side} />
);

/** As wide as the columns that are not rendered. */
const Gap = () => <td class="matrix-gap" aria-hidden="true" />;
