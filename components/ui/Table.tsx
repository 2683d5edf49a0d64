import type { ComponentChildren } from "preact";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ComponentChildren;
  /**
   * "main" leads a row, also when rows are stacked; "text" may break anywhere; "actions" are its
   * buttons, at the end.
   */
  kind?: "main" | "text" | "actions" | "number";
  class?: string;
}

interface TableProps<Row> {
  /** What the table lists: read out, not shown. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  /** Stands in for the table when there are no rows. */
  empty?: ComponentChildren;
  rowId?: (row: Row) => string;
}

/** Rows and columns; on phones each row becomes a block of labelled lines. */
export function Table<Row>({ caption, columns, rows, empty, rowId }: TableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div class="table-frame">
      <table class="table">
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, kind, class: more }) => (
              <th scope="col" class={classesOf(kind, more)}>
                {kind === "actions" ? <span class="sr-only">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr id={rowId?.(row)}>
              {columns.map(({ label, cell, kind, class: more }) => (
                <td class={classesOf(kind, more)} data-label={label}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classesOf = (kind = "", more = "") => `${kind && `cell-${kind}`} ${more}`.trim() || undefined;

/** Stands where a value is missing; stacked rows leave such cells out. */
export const Dash = () => <span class="dash text-muted">—</span>;

/** A name of any length: three lines of it, and all of it when it is pointed at. */
export const Name = ({ text }: { text: string | null | undefined }) =>
  text ? <span class="clamp" title={text}>{text}</span> : <Dash />;
