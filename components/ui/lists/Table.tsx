import type { ComponentChildren, VNode } from "preact";
import { Icon } from "../Icon.tsx";
import { Name } from "./cells.tsx";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";

export interface Column<Row> {
  label: string;
  /** Shown in the heading instead of the label, which is then only read out. */
  heading?: ComponentChildren;
  /** A plain text is shown on one line, and in full on hover. */
  cell: (row: Row) => ComponentChildren;
  /**
   * "main" leads a row. It and "text" may be long, and share the width. "status" has a line of its
   * own in cards, "actions" are the buttons at the end. Other columns are as wide as their values.
   */
  kind?: "main" | "text" | "status" | "actions";
  class?: string;
  /** On phones rows have no headings, so the label is shown beside a value that needs it. */
  named?: boolean;
  sort?: Sort;
}

/** Address that sorts by the column or reverses the order, and the current order. */
export interface Sort {
  href: string;
  order?: "ascending" | "descending";
}

export interface TableProps<Row> {
  /** Description of the table: read out, not shown. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  /** Rows of all pages of the list, if they are known: pages have the same columns. */
  allRows?: readonly Row[];
  /** Shown instead of the table if there are no rows. */
  empty?: ComponentChildren;
  rowId?: (row: Row) => string;
  /** Content below a row, over the whole width. */
  below?: (row: Row) => ComponentChildren;
  /** Id under which the page's script adds new rows, and the maximum number of rows. */
  live?: { id: string; limit: number };
}

/** Rows of one line each. On phones a row is a card. */
export function Table<Row>(
  { caption, columns, rows, allRows = rows, empty, rowId, below, live }: TableProps<Row>,
) {
  if (rows.length === 0 && empty) return <div id={live?.id} data-empty>{empty}</div>;
  const blank = numbersOf(columns, (column) => isBlank(column, allRows));
  const shown = columns.length - blank.length;
  const size = shown > 4 ? " table-wide" : shown > 3 ? " table-medium" : "";
  return (
    <div class={`table-frame${size}`}>
      <table class="table" data-blank={blank.join(" ") || undefined}>
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

/** Returns the numbers of columns for style rules, without the first column, which stays. */
const numbersOf = <Row,>(columns: Column<Row>[], isWanted: (column: Column<Row>) => boolean) =>
  columns.flatMap((column, n) => n > 0 && isWanted(column) ? n + 1 : []);

/** Whether no row has a value in a column: each cell is empty or a dash. */
const isBlank = <Row,>({ cell }: Column<Row>, rows: readonly Row[]) =>
  rows.every((row) => /^$|^<span[^>]* class="dash[ "]/.test(renderToString(<>{cell(row)}</>)));

type TableRowProps<Row> = Pick<TableProps<Row>, "columns" | "rowId" | "below"> & {
  row: Row;
  /** Set if the row is sent to a page that is already open. */
  news?: News;
};

/** Attributes for the page's script on an element that is merged into the page. */
export interface News {
  /** Id of the list to prepend it to if the page does not have it yet. */
  into?: string;
  /** Text for the screen reader. */
  announcement?: string;
}

/** A component, so that a row is created only when it is rendered. */
export function TableRow<Row>({ row, columns, rowId, below, news }: TableRowProps<Row>) {
  const more = below?.(row);
  const id = rowId?.(row);
  return (
    <>
      <tr
        id={id}
        data-into={news?.into}
        data-told={news?.announcement}
        data-filled={news && numbersOf(columns, (column) => !isBlank(column, [row])).join(" ")}
      >
        {columns.map((column, n) => <Cell key={n} column={column} content={column.cell(row)} />)}
      </tr>
      {more && (
        <tr id={id && `${id}-below`} class="row-below">
          <td colSpan={columns.length}>{more}</td>
        </tr>
      )}
    </>
  );
}

function Cell<Row>({ column, content }: { column: Column<Row>; content: ComponentChildren }) {
  const { label, kind } = column;
  // The name and the buttons need no label.
  const labelled = kind !== "main" && kind !== "actions";
  return (
    <td class={classesOf(column)} data-label={labelled ? label : undefined}>
      {typeof content === "string" ? <Name text={content} /> : content}
    </td>
  );
}

function Heading<Row>({ sort, ...column }: Column<Row>) {
  const { label, kind, heading } = column;
  return (
    <th
      scope="col"
      class={classesOf(column)}
      aria-sort={sort?.order}
    >
      {sort
        ? <SortLink label={label} {...sort} />
        : kind === "actions" || heading
        ? <span class="sr-only">{label}</span>
        : label}
      {heading}
    </th>
  );
}

const SortLink = ({ label, href, order }: Sort & { label: string }) => (
  <a class="sort" href={href} aria-current="false" data-stay>
    <Name text={label} />
    {order && <Icon name={order === "ascending" ? "chevron_up" : "chevron_down"} />}
  </a>
);

const classesOf = <Row,>({ kind, class: more, named }: Column<Row>) =>
  [kind && `cell-${kind}`, named && "cell-named", more].filter(Boolean).join(" ") || undefined;

/**
 * Renders the parts of a long page to one flat string, on the server only. The string of the
 * renderer is a tree of some hundred thousand pieces, which costs more to keep than to make.
 */
const Flat = ({ children }: { children: VNode[] }) =>
  jsxTemplate([children.map((part) => renderToString(part)).join("")]);
