import type { MatrixColumn } from "@/lib/results/matrix.ts";
import type { HostResultView } from "@/lib/results/schema.ts";
import { STATUS_SIGNS } from "@/lib/results/statuses.ts";

/** A part of the matrix. Rows and columns count from 0 within it. */
export interface MatrixData {
  hosts: { id: number; name: string }[];
  columns: MatrixColumn[];
  /**
   * A string for each host, with a sign of `STATUS_SIGNS` for each column; "." if nothing happened.
   */
  states: string[];
  /** Number of hosts and columns of the whole matrix. */
  total: { hosts: number; columns: number };
  /** Number of hosts and columns before this part. */
  before: { hosts: number; columns: number };
  /** Addresses without the id at their end. */
  host: string;
  result: string;
}

/** Ranges of rows and columns. The end is exclusive. */
export interface MatrixWindow {
  rows: [first: number, end: number];
  columns: [first: number, end: number];
}

/** Returns a part of a matrix. */
export function partOf(data: MatrixData, { rows, columns }: MatrixWindow): MatrixData {
  return {
    ...data,
    hosts: data.hosts.slice(...rows),
    columns: data.columns.slice(...columns),
    states: data.states.slice(...rows).map((states) => states.slice(...columns)),
    before: { hosts: data.before.hosts + rows[0], columns: data.before.columns + columns[0] },
  };
}

const STATUSES = new Map(
  Object.entries(STATUS_SIGNS).map(([status, sign]) => [sign, status as HostResultView["status"]]),
);

/** Returns the result in a cell; null if nothing happened. */
export const statusAt = ({ states }: MatrixData, row: number, column: number) =>
  STATUSES.get(states[row]?.[column]) ?? null;

/** Groups adjacent columns that belong together. */
export function groupsOf(
  columns: MatrixColumn[],
  nameOf: (column: MatrixColumn) => string,
): { name: string; count: number }[] {
  const groups: { name: string; count: number }[] = [];
  columns.forEach((column, n) => {
    const name = nameOf(column);
    const isSame = n > 0 && nameOf(columns[n - 1]) === name && columns[n - 1].play === column.play;
    if (isSame) groups.at(-1)!.count++;
    else groups.push({ name, count: 1 });
  });
  return groups;
}

/** The texts of a matrix, in the reader's language. */
export interface MatrixTexts {
  label: string;
  host: string;
  play: string;
  role: string;
  /** Label for Ansible tasks without a role. */
  no_role: string;
  /** Such as "{{host}}, {{task}}: {{state}}". */
  cell: string;
  /** Label of each state, and of cells without one. */
  states: Record<HostResultView["status"] | "none", string>;
}
