import type { ComponentChildren } from "preact";
import { Flat } from "./Flat.tsx";
import { Icon } from "./Icon.tsx";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ComponentChildren;
  /**
   * "main" leads a row, also when rows are stacked; "text" may break anywhere; "actions" are its
   * buttons, at the end.
   */
  kind?: "main" | "text" | "actions";
  class?: string;
  /** Where its heading leads, to sort by it or the other way; and how it is sorted now. */
  sort?: { href: string; order?: "ascending" | "descending" };
}

interface TableProps<Row> {
  /** What the table lists: read out, not shown. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  /** Stands in for the table when there are no rows. */
  empty?: ComponentChildren;
  rowId?: (row: Row) => string;
  /** What is shown below a row, over the whole width. */
  below?: (row: Row) => ComponentChildren;
  /** New rows come into it by this id while it is looked at, and no more than so many stay. */
  live?: { id: string; limit: number };
}

/** Rows and columns; on phones each row becomes a block of labelled lines. */
export function Table<Row>(
  { caption, columns, rows, empty, rowId, below, live }: TableProps<Row>,
) {
  if (rows.length === 0 && empty) return <div id={live?.id} data-empty>{empty}</div>;
  return (
    <div class="table-frame">
      <table class="table">
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, n) => <Heading key={n} {...column} />)}
          </tr>
        </thead>
        <tbody id={live?.id} data-limit={live?.limit}>
          <Flat>
            {rows.map((row, n) => <TableRow key={n} {...{ row, columns, rowId, below }} />)}
          </Flat>
        </tbody>
      </table>
    </div>
  );
}

type TableRowProps<Row> = Pick<TableProps<Row>, "columns" | "rowId" | "below"> & {
  row: Row;
  /** For a row that is sent to a page which is looked at. */
  news?: News;
};

/** What a page's script is told of an element that is merged into the page. */
export interface News {
  /** The list that it is put in front of when the page does not have it yet. */
  into?: string;
  /** What is read out. */
  told?: string;
}

/** A component, so that a row is made only when it is rendered. */
export function TableRow<Row>({ row, columns, rowId, below, news }: TableRowProps<Row>) {
  const more = below?.(row);
  return (
    <>
      <tr id={rowId?.(row)} data-into={news?.into} data-told={news?.told}>
        {columns.map(({ label, cell, kind, class: more }) => (
          <td class={classesOf(kind, more)} data-label={label}>{cell(row)}</td>
        ))}
      </tr>
      {more && (
        <tr class="row-below">
          <td colSpan={columns.length}>{more}</td>
        </tr>
      )}
    </>
  );
}

function Heading({ label, kind, class: more, sort }: Omit<Column<never>, "cell">) {
  return (
    <th scope="col" class={classesOf(kind, more)} aria-sort={sort?.order}>
      {sort
        ? (
          <a class="sort" href={sort.href} aria-current="false">
            {label}
            {sort.order && (
              <Icon name={sort.order === "ascending" ? "chevron_up" : "chevron_down"} />
            )}
          </a>
        )
        : kind === "actions"
        ? <span class="sr-only">{label}</span>
        : label}
    </th>
  );
}

const classesOf = (kind = "", more = "") => `${kind && `cell-${kind}`} ${more}`.trim() || undefined;
